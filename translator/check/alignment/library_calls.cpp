// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/alignment/library_calls.hpp"

#include "ast/known_calls.hpp"
#include "ast/symbol.hpp"
#include "diagnostics/engine.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace hpcc::check::alignment {
namespace {

constexpr std::array adlibNames = {
#define ADLIB_FUNCTION(name, result) std::string_view(#name),
#include "ast/runtime_names.def"
};

constexpr std::array furtherSchedules = {
#define ADLIB_SCHEDULE(name) std::string_view(#name),
#include "ast/runtime_names.def"
};

constexpr std::array oneSided = {
#define ADLIB_ONE_SIDED(name) std::string_view("Adlib::" #name),
#include "ast/runtime_names.def"
};

// ::clock, std::clock -> clock; "" if the program itself declares the function.
std::string_view libraryName(NodePtr callee) {
    if (callee->symbol && callee->symbol->declaration) return "";
    std::string_view name = callee->text();
    if (name.starts_with("::")) name.remove_prefix(2);
    if (name.starts_with("std::")) name.remove_prefix(5);
    return name;
}

}  // namespace

std::string adlibFunction(const Symbol* symbol) {
    const bool isLibrary = symbol && !symbol->declaration && !symbol->previous &&
                           symbol->kind == ast::SymbolKind::Function;
    return isLibrary && isOneOf(symbol->name, adlibNames) ? "Adlib::" + symbol->name : "";
}

bool isOneSided(std::string_view function) { return isOneOf(function, oneSided); }

bool isSchedule(const Type* type) {
    const Symbol* symbol = type->kind == TypeKind::Class ? type->classSymbol : nullptr;
    if (!symbol || symbol->declaration || symbol->shape != ast::StandardShape::Opaque) return false;
    if (isOneOf(symbol->name, furtherSchedules)) return true;
    return std::ranges::any_of(adlibNames, [&](std::string_view name) {
        return symbol->name.size() == name.size() && symbol->name.substr(1) == name.substr(1) &&
               symbol->name[0] == std::toupper(static_cast<unsigned char>(name[0]));
    });
}

bool isAssertedCoherent(const Symbol* symbol) {
    return symbol && !symbol->declaration && symbol->name == "coherent" &&
           symbol->result == ast::RuntimeResult::FirstArgument;
}

std::string differingResult(NodePtr callee) {
    const std::string_view name = libraryName(callee);
    const bool isNow = name.ends_with("clock::now") || name.ends_with("Clock::now");
    if (isNow || isOneOf(name, {"time", "clock", "MPI_Wtime", "omp_get_wtime"}))
        return diagnostics::quoted(name) + " reads the clock of each process";
    if (isOneOf(name, {"getpid", "gettid"}))
        return diagnostics::quoted(name) + " is another number in each process";
    if (name == "this_thread::get_id") return "threads of processes have other numbers";
    if (isOneOf(name, {"scanf", "getchar"})) return "only process 0 has standard input";
    return "";
}

std::string differingArgument(NodePtr call, std::size_t k) {
    const NodePtr callee = call->child(ast::Call::callee);
    const NodePtr arguments = call->child(ast::Call::arguments);
    const std::string_view name = libraryName(callee);
    const NodePtr first = arguments->child(0);
    const std::string_view firstText = first ? first->text() : "";
    if ((name == "MPI_Comm_rank" || name == "MPI_Group_rank") && k == 1)
        return firstText == "MPI_COMM_SELF"
                   ? ""
                   : diagnostics::quoted(name) + " gives each process its own number";
    const std::string onlyFirst = "only process 0 has standard input";
    if (name == "scanf" && k > 0) return onlyFirst;
    if (name == "fscanf" && k > 1 && firstText == "stdin") return onlyFirst;
    const bool isFgets =
        name == "fgets" && k == 0 && arguments->child(2) && arguments->child(2)->text() == "stdin";
    if (isFgets) return onlyFirst;
    if ((name == "gettimeofday" && k == 0) || (name == "clock_gettime" && k == 1))
        return diagnostics::quoted(name) + " reads the clock of each process";
    return "";
}

bool isStandardInput(NodePtr name) {
    const std::string_view text = libraryName(name);
    return text == "cin" || text == "stdin";
}

bool isStandardComputation(NodePtr callee) {
    if (ast::isMathematical(callee) || callee->text().starts_with("std::")) return true;
    const bool isHandler = callee->symbol && !callee->symbol->declaration &&
                           callee->symbol->result == ast::RuntimeResult::FirstArgument;
    return isHandler;
}

bool exchangesValues(NodePtr callee) {
    return callee->text() == "std::swap" || callee->text() == "std::exchange";
}

bool mayChangeArguments(NodePtr callee) {
    std::string_view name = callee->text();
    if (!name.starts_with("std::") || (callee->symbol && callee->symbol->declaration)) return false;
    name.remove_prefix(5);
    if (name.starts_with("ranges::")) name.remove_prefix(8);
    return isOneOf(name, {"copy",           "copy_n",         "copy_if",      "fill",
                          "fill_n",         "generate",       "iota",         "iter_swap",
                          "move_backward",  "nth_element",    "partial_sort", "partial_sum",
                          "exclusive_scan", "inclusive_scan", "for_each",     "replace",
                          "reverse",        "rotate",         "shuffle",      "sort",
                          "swap_ranges",    "transform",      "ref"});
}

bool isStandardOptional(const Type* type) {
    return type->spelled.find("std::optional") != std::string::npos;
}

bool pointsInside(std::string_view method) {
    return isOneOf(method, {"begin", "end", "rbegin", "rend", "data"});
}

bool addsElements(std::string_view method) {
    return isOneOf(
        method, {"push_back", "emplace_back", "push_front", "insert", "emplace", "push", "append"});
}

bool endsProcess(NodePtr callee) {
    const std::string_view name = libraryName(callee);
    return name == "exit" || name == "quick_exit" || name == "_Exit" || name == "_exit";
}

bool isStandardQuestion(std::string_view method) {
    return isOneOf(
        method,
        {"size",  "empty", "length", "find",  "c_str",   "substr",   "begin",           "end",
         "front", "back",  "at",     "count", "data",    "get",      "value",           "has_value",
         "str",   "good",  "eof",    "fail",  "is_open", "contains", "time_since_epoch"});
}

}  // namespace hpcc::check::alignment
