// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/single.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "analysis/constant.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/type.hpp"
#include "regions/arrays.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using diagnostics::Id;

bool isArray(const ast::Type* type) {
    return isContiguous(type) || (type && type->kind == ast::TypeKind::Multiarray);
}

std::string withoutSpaces(std::string_view text) {
    std::string result;
    std::ranges::copy_if(text, std::back_inserter(result),
                         [](unsigned char c) { return !std::isspace(c); });
    return result;
}

// An element of the line in the statement; null if there is none.
NodePtr elementOf(const Told& line, NodePtr node, const Arrays& arrays) {
    if (!node || line.holds(node, arrays)) return node;
    for (const NodePtr child : node->children())
        if (const NodePtr found = elementOf(line, child, arrays)) return found;
    return nullptr;
}

class Changes {
public:
    Changes(NodePtr statement, const Told* line, const Arrays& arrays, diagnostics::Engine& engine)
        : statement_(statement), line_(line), arrays_(arrays), engine_(engine) {}

    std::set<std::string> told;

    void visit(NodePtr node) {
        if (!node) return;
        if (const NodePtr changed = ast::changedOperand(node)) assigned(bare(changed));
        if (node->is<ast::Call>()) {
            member(bare(node->child(ast::Call::callee)));
            for (const NodePtr each : node->child(ast::Call::arguments)->children())
                handed(bare(each));
        }
        for (const NodePtr child : node->children()) visit(child);
    }

private:
    bool isOwn(const Symbol* symbol) const {
        return symbol && symbol->declaration &&
               statement_->span().contains(symbol->declaration->span());
    }

    void report(NodePtr place) {
        engine_.report(Id::SingleChanges, place->span(), place->text())
            .help("a number of its own is told, and what all processes change alike");
    }

    void assigned(NodePtr target) {
        NodePtr root = target;
        while (ast::is<ast::Subscript>(root) || ast::is<ast::Member>(root)) {
            if (line_ && line_->holds(root, arrays_)) return;
            root = bare(root->child(0));
        }
        if (isOwn(root->symbol)) return;
        const bool isNumeral = root == target && ast::is<ast::Identifier>(root) && root->symbol &&
                               isNumber(root->symbol->type);
        if (isNumeral)
            told.insert(root->symbol->name);
        else
            report(target);
    }

    // a.resize(3)
    void member(NodePtr callee) {
        constexpr std::array<std::string_view, 9> asking = {"size", "empty", "front", "back", "at",
                                                            "data", "begin", "end",   "rng"};
        if (!ast::is<ast::Member>(callee)) return;
        const NodePtr base = bare(callee->child(ast::Member::base));
        if (!ast::is<ast::Identifier>(base) || !base->symbol || isOwn(base->symbol)) return;
        const bool asks =
            std::ranges::find(asking, callee->child(ast::Member::name)->text()) != asking.end();
        if (isArray(base->symbol->type) && !asks) report(base);
    }

    // A function may change what it is given by reference.
    void handed(NodePtr argument) {
        const Symbol* symbol = ast::is<ast::Identifier>(argument) ? argument->symbol : nullptr;
        const ast::Type* type = symbol ? symbol->type : nullptr;
        if (!type || type->isConst || isOwn(symbol)) return;
        if (isNumber(type) && symbol->kind != ast::SymbolKind::Enumerator)
            told.insert(symbol->name);
        else if (isArray(type))
            report(argument);
    }

    NodePtr statement_;
    const Told* line_;
    const Arrays& arrays_;
    diagnostics::Engine& engine_;
};

}  // namespace

bool Told::holds(NodePtr element, const Arrays& arrays) const {
    if (!ast::is<ast::Subscript>(element)) return false;
    const auto access = accessOf(element, arrays);
    return access && access->array == array && access->subscript() &&
           withoutSpaces(access->subscript()->text()) == location;
}

Told toldLine(const Attribute& single, NodePtr statement, const Arrays& arrays,
              diagnostics::Engine& engine) {
    const auto refuse = [&](std::string_view reason) {
        engine.report(Id::AttributeArgument, single.node->span(), "single", single.arguments,
                      reason);
        return Told();
    };
    const Line line = *lineOf(single);
    for (const auto& [symbol, array] : arrays) {
        if (symbol->name != line.array) continue;
        const Told told{&array, withoutSpaces(line.location)};
        const NodePtr element = elementOf(told, statement, arrays);
        if (!element) continue;
        const NodePtr place = accessOf(element, arrays)->subscript();
        const bool isFixed =
            ast::isPure(place) && !ast::effectsOf(statement).touches(ast::namesIn(place));
        if (isFixed) return {&array, told.location, array.location(place->text())};
        return refuse("the statement changes where that is");
    }
    return refuse("the statement names no such element of an array with [[hpspmd::dist]]");
}

void requireArrays(const Attribute& sync, const Arrays& arrays, diagnostics::Engine& engine) {
    for (const std::string_view name : parts(sync.arguments))
        if (std::ranges::none_of(arrays,
                                 [&](const auto& each) { return each.first->name == name; }))
            engine.report(Id::AttributeArgument, sync.node->span(), "sync", name,
                          "it is no array with [[hpspmd::dist]]");
}

std::set<std::string> toldBySingle(NodePtr statement, const Told* line, const Arrays& arrays,
                                   diagnostics::Engine& engine) {
    Changes changes(statement, line, arrays, engine);
    changes.visit(statement);
    return std::move(changes.told);
}

}  // namespace hpcc::regions
