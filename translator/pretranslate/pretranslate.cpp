// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pretranslate/pretranslate.hpp"

#include "ast/purity.hpp"
#include "ast/visitor.hpp"
#include "pretranslate/bind_arrays.hpp"
#include "pretranslate/bind_ranges.hpp"
#include "pretranslate/split_declarations.hpp"
#include "pretranslate/split_headers.hpp"

namespace hpcc::pretranslate {
namespace {

using ast::NodePtr;

/// Looks for what the restricted form forbids.
struct Inspector : ast::Visitor {
    bool restricted = true;

    void visitOverall(NodePtr node) override {
        const NodePtr list = node->child(ast::Overall::headers);
        restricted &= list->children().size() == 1 &&
                      ast::isSimple(list->child(0)->child(ast::OverallHeader::range));
        visitChildren(node);
    }
    void visitAt(NodePtr node) override {
        const NodePtr location = node->child(ast::At::location);
        restricted &=
            !location->is<ast::Subscript>() || ast::isSimple(location->child(ast::Subscript::base));
        visitChildren(node);
    }
    void visitCompound(NodePtr node) override {
        for (const NodePtr child : node->children()) restricted &= !isSeveral(child);
        visitOther(node);
    }
    void visitOther(NodePtr node) override {
        if (node->contains(ast::extension)) visitChildren(node);
    }

    static bool isSeveral(NodePtr statement) {
        if (!ast::is<ast::Declaration>(statement)) return false;
        const NodePtr list = statement->child(ast::Declaration::declarators);
        return ast::is<ast::MultiarrayType>(statement->child(ast::Declaration::specifiers)) &&
               list && list->children().size() > 1;
    }
};

}  // namespace

ast::Unit pretranslate(ast::Unit unit, ast::Quoter& quote) {
    if (!unit.hasExtensions) return unit;
    const ast::FreshNames names(unit.identifiers);
    unit.root = splitDeclarations(*unit.arena, quote, unit.root);
    unit.root = splitHeaders(*unit.arena, unit.root);
    unit.root = bindArrays(*unit.arena, quote, names, unit.root);
    unit.root = bindRanges(*unit.arena, quote, names, unit.root);
    return unit;
}

bool isPretranslated(const ast::Unit& unit) {
    Inspector inspector;
    inspector.visit(unit.root);
    return inspector.restricted;
}

}  // namespace hpcc::pretranslate
