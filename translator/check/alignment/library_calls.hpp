// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls of libraries mean for the coherence of values.
#pragma once

#include "check/types.hpp"

#include <string>

namespace hpcc::check::alignment {

// Whether the name is that of a function of Adlib: "Adlib::sum"; "" if not.
std::string adlibFunction(const Symbol* symbol);

// get, put and the like, by their name as adlibFunction tells it: a process calls them by itself.
bool isOneSided(std::string_view adlibFunction);

// Adlib::WriteHalo and the other schedules.
bool isSchedule(const Type* type);

bool isAssertedCoherent(const Symbol* symbol);  // hpspmd::coherent

// Why the result of a call of C, C++ or MPI differs between processes: "reads the clock of each
// process"; "" if it does not for all that is known.
std::string differingResult(NodePtr callee);

// The same for what a call stores in its argument number k: MPI_Comm_rank(comm, &rank).
std::string differingArgument(NodePtr call, std::size_t k);

// std::cin and stdin.
bool isStandardInput(NodePtr name);

// A function of the standard library that computes its result from its arguments.
bool isStandardComputation(NodePtr callee);

// std::swap and std::exchange.
bool exchangesValues(NodePtr callee);

// Any other function of the standard library that may change what it is given: std::fill,
// std::sort.
bool mayChangeArguments(NodePtr callee);

bool isStandardOptional(const Type* type);

// exit: the process leaves, the others go on.
bool endsProcess(NodePtr callee);

// v.size(), s.empty() and the like change nothing.
bool isStandardQuestion(std::string_view method);

// v.begin(), v.data(): whoever has the result may change the elements.
bool pointsInside(std::string_view method);

// v.push_back(e): the number of elements changes, and there are further ones.
bool addsElements(std::string_view method);

}  // namespace hpcc::check::alignment
