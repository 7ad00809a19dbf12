// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parameters of a function template stand for in a call.
#pragma once

#include "analysis/instance_types.hpp"
#include "ast/arena.hpp"
#include "check/types.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hpcc::check {

// Unknown: as `long` and `int64_t`, which are the same type on some machines.
enum class Sameness { No, Yes, Unknown };

// Of two types, references and const apart.
Sameness same(const Type& a, const Type& b);

// The type of a number or an object, if it is known exactly: inside a template perhaps that of a
// parameter. Null if it is not.
analysis::InstanceType certainType(NodePtr argument);

struct TemplateArguments {
    struct Argument {
        NodePtr parameter = nullptr;
        std::string name;
        const Type* type = nullptr;      // that T stands for, or of N; null: not known
        std::optional<long long> value;  // of N
    };
    Sameness fit = Sameness::Unknown;  // whether the template takes the call's arguments
    std::vector<Argument> all;

    std::string key() const;  // the same for one instance
};

//     template <class T, int N = 2> T scaled(const T& v);   scaled(0.5F): T is float, N is 2
//     scaled<double>(1): T is double
//
// `written`: the TemplateArguments behind the name, or null. With other overloads beside it
// (`isOnly` is false) it fits if no argument is converted.
TemplateArguments templateArguments(ast::Arena& arena, const Symbol& function, NodePtr written,
                                    std::span<const Type* const> arguments, bool isOnly);

}  // namespace hpcc::check
