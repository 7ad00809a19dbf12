// What calls of libraries mean for the coherence of values.
#pragma once

#include "check/types.hpp"

#include <string>

namespace hpcc::check::alignment {

// Whether the name is that of a function of Adlib: "Adlib::sum"; "" if not.
std::string adlibFunction(const Symbol* symbol);

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

// exit: the process leaves, the others go on.
bool endsProcess(NodePtr callee);

// v.size(), s.empty() and the like change nothing.
bool isStandardQuestion(std::string_view method);

}  // namespace hpcc::check::alignment
