// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/lane_vectors.hpp"

#include <algorithm>
#include <map>

#include "analysis/plain_values.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/container_elements.hpp"

namespace hpcc::nests {

using ast::NodePtr;

/// Of its elements.
std::string LaneVectors::word(const ast::Symbol& vector) {
    std::string word = laneWord(vector.type->arguments.front());
    areKnown_ &= !word.empty();
    return word;
}

std::vector<NodePtr> LaneVectors::scratch(NodePtr origin) {
    std::map<std::string, const ast::Symbol*> vectors;
    for (const ast::Symbol* vector : loop_.scratch)
        if (varying_.varies(vector->name)) vectors[vector->name] = vector;
    std::vector<NodePtr> made;
    for (const auto& [name, vector] : vectors) {
        const std::string own = context_.fresh(name + "_packs"), of = word(*vector);
        lengths_.push_back("hpspmd::Index(" + name + ".size())");
        packs_ += "std::vector<" + values_.eachOf(of) + "> " + own + "(" + name + ".size());\n";
        made.push_back(context_.statement(
            "hpspmd::detail::VectorInLanes " + name + "(" + own + ");", {}, origin));
    }
    return made;
}

/// n of `std::array<double, n>`; of an alias of such a type, what the library says.
std::string LaneVectors::lengthOf(NodePtr specifiers) {
    const auto arguments = ast::allOf<ast::TemplateArguments>(specifiers);
    if (arguments.size() == 1 && arguments[0]->children().size() == 2)
        return ast::print(values_.common(arguments[0]->child(1)));
    const NodePtr core =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core) : nullptr;
    const bool isAlias = ast::is<ast::Identifier>(core);
    return isAlias ? "std::tuple_size<" + std::string(core->text()) + ">::value" : "";
}

NodePtr LaneVectors::array(NodePtr declarator, NodePtr specifiers) {
    const NodePtr declared = declarator->child(ast::InitDeclarator::declarator),
                  initializer = declarator->child(ast::InitDeclarator::initializer),
                  variable = analysis::variableOf(declared);
    const ast::Type* type = variable && variable->symbol ? variable->symbol->type : nullptr;
    if (isVector(variable)) return this->declared(variable, initializer);
    if (const NodePtr copy = values_.copiedArray(declarator)) return copy;
    std::string before, behind = " ";
    if (type && ast::isStandardArray(type) && !type->arguments.empty()) {
        const std::string length = lengthOf(specifiers);
        if (length.empty()) return nullptr;
        before = "std::array<";
        behind = ", " + length + "> ";
        type = type->arguments[0];
    }
    while (type && type->kind == ast::TypeKind::CArray) type = type->element;
    const std::string word = laneWord(type), text = before + values_.eachOf(word) + behind +
                                                    ast::print(values_.common(declared));
    if (word.empty()) return nullptr;
    if (!initializer) return context_.statement(text + ";", {}, declarator);
    if (!varying_.varies(initializer))
        return context_.statement(text + ast::print(values_.common(initializer)) + ";", {},
                                  declarator);
    const std::string list =
        listOf(ast::is<ast::EqualInitializer>(initializer) ? initializer->child(0) : initializer);
    return list.empty() ? nullptr : context_.statement(text + list + ";", {}, declarator);
}

/// `{own[i] + 1, {0, 2}}`; "" of what is none of numbers.
std::string LaneVectors::listOf(NodePtr initializer) {
    if (!ast::is<ast::BracedInitializer>(initializer)) return "";
    std::vector<std::string> list;
    for (const NodePtr each : initializer->children()) {
        const bool isList = ast::is<ast::BracedInitializer>(each);
        const NodePtr value = isList ? nullptr : values_.value(each);
        list.push_back(value ? ast::print(value) : listOf(each));
        if (list.back().empty()) return "";
    }
    return "{" + listed(list) + "}";
}

/// Its length must be known in front of the lanes.
NodePtr LaneVectors::declared(NodePtr variable, NodePtr initializer) {
    const NodePtr length = initializer->child(0);
    const bool isFixed = std::ranges::none_of(ast::namesIn(length), [this](std::string_view each) {
        return nest_.declared.contains(each) || nest_.assigned.contains(each) ||
               nest_.changeable.contains(each) || nest_.loopNamed(each);
    });
    const NodePtr value = initializer->children().size() > 1 ? values_.value(initializer->child(1))
                                                             : context_.number(0, variable);
    if (!isFixed || !value) return nullptr;
    const std::string name(variable->text()), own = context_.fresh(name + "_packs"),
                                              of = word(*variable->symbol);
    lengths_.push_back("hpspmd::Index(" + ast::print(values_.common(length)) + ")");
    packs_ += "std::vector<" + values_.eachOf(of) + "> " + own + ";\n";
    return context_.statement("hpspmd::detail::VectorInLanes " + name + "(" + own + ", $n, $v);",
                              {{"$n", values_.common(length)}, {"$v", value}}, variable);
}

}  // namespace hpcc::nests
