// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/builder.hpp"

#include <algorithm>

namespace hpcc::optimize {
namespace {

bool isSumLike(KeyKind kind) { return kind == KeyKind::Sum || kind == KeyKind::Difference; }

/// `a` of `a`, `f_u` of `f.u`, `u` of `this->u`.
std::string baseName(const Keys& keys, int key) {
    const Key& base = keys[key];
    switch (base.kind) {
    case KeyKind::This:
        return "";
    case KeyKind::Member:
    case KeyKind::Arrow:
    case KeyKind::Inquiry: {
        const std::string outer = baseName(keys, base.left);
        std::string name = (outer.empty() ? "" : outer + "_") + std::string(base.text);
        if (base.right >= 0) name += "_" + std::string(keys[base.right].text);
        return name;
    }
    default:
        return std::string(base.text);
    }
}

struct Parts {
    std::string array;
    std::string dimension;             // of the only stride
    std::vector<std::string> varying;  // indices and counters, in order
    bool several = false;              // strides of several dimensions
    std::string times;                 // a literal factor
};

void collect(const Keys& keys, int number, Parts& parts) {
    const Key& key = keys[number];
    if (key.kind == KeyKind::Inquiry && key.text == "stride") {
        if (parts.array.empty()) parts.array = baseName(keys, key.left);
        const std::string dimension(key.right < 0 ? "" : keys[key.right].text);
        parts.several |= !parts.dimension.empty() && parts.dimension != dimension;
        parts.dimension = dimension;
        return;
    }
    if (key.kind == KeyKind::Inquiry) return;
    if (key.kind == KeyKind::Literal) parts.times = key.text;
    if (key.kind == KeyKind::Member || key.kind == KeyKind::Variable) {
        const std::string name = baseName(keys, key.kind == KeyKind::Member ? key.left : number);
        if (std::ranges::find(parts.varying, name) == parts.varying.end())
            parts.varying.push_back(name);
        return;
    }
    if (key.left >= 0) collect(keys, key.left, parts);
    if (key.right >= 0) collect(keys, key.right, parts);
}

}  // namespace

std::string remarkFor(const Keys& keys, int number,
                      const std::function<bool(const std::string&)>& isInText) {
    const Key& key = keys[number];
    if (key.kind == KeyKind::Inquiry) {
        const std::string asked = baseName(keys, key.left);
        if (key.text == "data" || key.text == "stride")
            return "the descriptor of '" + asked + "' is read once";
        const bool isNamed = keys[key.left].kind != KeyKind::Variable || isInText(asked);
        return (isNamed ? "'" + asked + "'" : std::string("the range")) + " is asked for '" +
               std::string(key.text) + "' once";
    }
    Parts parts;
    collect(keys, number, parts);
    if (parts.varying.empty()) return "a distance in '" + parts.array + "' is computed once";
    std::string varying;
    for (const std::string& name : parts.varying)
        varying += (varying.empty() ? "'" : ", '") + name + "'";
    return "the place in '" + parts.array + "' that follows from " + varying + " is computed once";
}

std::string nameFor(const Keys& keys, int number) {
    const Key& key = keys[number];
    if (key.kind == KeyKind::Inquiry) return baseName(keys, number);
    Parts parts;
    collect(keys, number, parts);
    if (parts.varying.empty()) {
        std::string name = parts.array + "_shift";
        if (!parts.several) name += "_" + parts.dimension;
        if (!parts.times.empty() && !parts.several) name += "_by_" + parts.times;
        return name;
    }
    std::string name = parts.array + "_at";
    for (const std::string& varying : parts.varying) name += "_" + varying;
    return name;
}

std::string_view declarationFor(const Key& key) {
    if (key.kind == KeyKind::Inquiry) {
        if (key.text == "data") return "auto *const $name = $value;";
        if (key.text == "rng") return "const hpspmd::Range $name = $value;";
        if (key.text == "dim") return "const hpspmd::Dimension $name = $value;";
        if (key.text == "grp") return "const hpspmd::Group $name = $value;";
        if (key.text == "valid" || key.text == "amMember") return "const bool $name = $value;";
    }
    return "const hpspmd::Index $name = $value;";
}

NodePtr Builder::build(int number) {
    if (const std::string name = nameOf_(number); !name.empty())
        return function_.identifier(name, origin_);
    const Key& key = keys_[number];
    switch (key.kind) {
    case KeyKind::Variable:
        return function_.identifier(std::string(key.text), origin_, key.sample);
    case KeyKind::Literal:
        return function_.identifier(std::string(key.text), origin_);
    case KeyKind::This:
        return function_.expression("this", {}, origin_);
    case KeyKind::Member:
    case KeyKind::Arrow: {
        const NodePtr result =
            function_.expression(key.kind == KeyKind::Member ? "$base.$name" : "$base->$name",
                                 {{"$base", build(key.left)},
                                  {"$name", function_.identifier(std::string(key.text), origin_)}},
                                 origin_);
        result->type = key.sample->type;
        result->symbol = key.sample->symbol;
        return result;
    }
    case KeyKind::Inquiry:
        return inquiry(key);
    case KeyKind::Sum:
    case KeyKind::Difference:
    case KeyKind::Product: {
        const NodePtr left = operand(key.left, !isSumLike(key.kind));
        return function_.expression(key.kind == KeyKind::Sum          ? "$left + $right"
                                    : key.kind == KeyKind::Difference ? "$left - $right"
                                                                      : "$left * $right",
                                    {{"$left", left}, {"$right", operand(key.right, true)}},
                                    origin_);
    }
    case KeyKind::Negation:
        return function_.expression("-$operand", {{"$operand", operand(key.left, true)}}, origin_);
    case KeyKind::Opaque:
        return edited_(key.sample);
    }
    return nullptr;
}

/// A part of a larger expression; `isTight`: a sum there needs parentheses.
NodePtr Builder::operand(int number, bool isTight) {
    const NodePtr built = build(number);
    const bool held = ast::is<ast::Identifier>(built);
    const Key& key = keys_[number];
    const bool loose = isSumLike(key.kind) || key.kind == KeyKind::Negation ||
                       (key.kind == KeyKind::Opaque && !built->is<ast::Call>() &&
                        !built->is<ast::Parenthesized>());
    if (held || !loose || (!isTight && key.kind != KeyKind::Opaque)) return built;
    return function_.expression("($part)", {{"$part", built}}, origin_);
}

NodePtr Builder::inquiry(const Key& key) {
    const NodePtr base = build(key.left);
    const NodePtr name = function_.identifier(std::string(key.text), origin_);
    if (key.right < 0)
        return function_.expression("$base.$name()", {{"$base", base}, {"$name", name}}, origin_);
    return function_.expression("$base.$name($argument)",
                                {{"$base", base}, {"$name", name}, {"$argument", build(key.right)}},
                                origin_);
}

}  // namespace hpcc::optimize
