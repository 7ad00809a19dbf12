// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/single.hpp"

#include <algorithm>
#include <array>

#include "analysis/constant.hpp"
#include "ast/effects.hpp"
#include "ast/type.hpp"
#include "regions/arrays.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using diagnostics::Id;

bool isArray(const ast::Type* type) {
    return isContiguous(type) || (type && type->kind == ast::TypeKind::Multiarray);
}

class Changes {
public:
    Changes(NodePtr statement, diagnostics::Engine& engine)
        : statement_(statement), engine_(engine) {}

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
        while (ast::is<ast::Subscript>(root) || ast::is<ast::Member>(root))
            root = bare(root->child(0));
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
    diagnostics::Engine& engine_;
};

}  // namespace

std::set<std::string> toldBySingle(NodePtr statement, diagnostics::Engine& engine) {
    Changes changes(statement, engine);
    changes.visit(statement);
    return std::move(changes.told);
}

}  // namespace hpcc::regions
