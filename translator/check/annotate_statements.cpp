// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that bind names or give types.
#include "analysis/constant.hpp"
#include "check/annotator.hpp"

namespace hpcc::check {

// What an instance of a template does not compile may mean nothing for its types.
void Annotator::visitIf(NodePtr node) {
    push(Scope::Kind::Block);
    visit(node->child(ast::If::initializer));
    visit(node->child(ast::If::condition));
    const auto branch =
        instancesAround_ > 0 ? analysis::compiledBranch(node) : std::optional<NodePtr>();
    if (branch) {
        visit(*branch);
    } else {
        visit(node->child(ast::If::then));
        visit(node->child(ast::If::otherwise));
    }
    pop();
}

void Annotator::visitHandler(NodePtr node) {
    push(Scope::Kind::Block);
    for (NodePtr each : node->child(ast::Handler::parameters)->children()) {
        Type unused;
        parameter(each, unused);
    }
    visit(node->child(ast::Handler::body));
    pop();
}

void Annotator::visitRangeFor(NodePtr node) {
    push(Scope::Kind::Block);
    visit(node->child(ast::RangeFor::initializer));
    const NodePtr range = node->child(ast::RangeFor::range);
    visit(range);
    const Declared what = declared(specified(node->child(ast::RangeFor::specifiers)),
                                   node->child(ast::RangeFor::declarator));
    const bool isList = ast::is<ast::BracedInitializer>(range) && !range->children().empty();
    const Type* element =
        isList ? valueOf(arena(), typeOf(range->child(0))) : iterated(typeOf(range));
    if (what.bindings)
        declareBindings(what.bindings, element, node);
    else if (what.name)
        node->symbol = declareName(what.name, SymbolKind::Variable, node,
                                   what.isAuto ? deducedType(what.type, element) : what.type);
    if (node->symbol) {
        node->type = node->symbol->type;
        node->symbol->isReassigned = true;  // another element in each round
    }
    visit(node->child(ast::RangeFor::body));
    pop();
}

void Annotator::visitReturn(NodePtr node) {
    const NodePtr value = node->child(ast::Return::value);
    visit(value);
    if (value && !bodies_.empty() && !bodies_.back().deduced)
        bodies_.back().deduced = valueOf(arena(), typeOf(value));
}

void Annotator::visitLabel(NodePtr node) { visit(node->child(ast::Label::body)); }

void Annotator::bindIndex(NodePtr name, NodePtr declaration) {
    declaration->symbol = declareName(name, SymbolKind::DistributedIndex, declaration, indexType());
}

void Annotator::visitAt(NodePtr node) {
    visit(node->child(ast::At::location));
    push(Scope::Kind::Block);
    bindIndex(node->child(ast::At::index), node);
    visit(node->child(ast::At::body));
    pop();
}

// Each range and triplet sees the indices to its left.
void Annotator::overallNest(NodePtr headers, NodePtr body) {
    for (NodePtr header : headers->children()) {
        visit(header->child(ast::OverallHeader::range));
        visit(header->child(ast::OverallHeader::triplet));
        push(Scope::Kind::Block);
        bindIndex(header->child(ast::OverallHeader::index), header);
    }
    visit(body);
    for (std::size_t k = 0; k < headers->children().size(); ++k) pop();
}

void Annotator::visitOverall(NodePtr node) {
    overallNest(node->child(ast::Overall::headers), node->child(ast::Overall::body));
}

void Annotator::visitOverallExpression(NodePtr node) {
    const NodePtr expression = node->child(ast::OverallExpression::expression);
    overallNest(node->child(ast::OverallExpression::headers), expression);
    node->type = typeOf(expression);
}

}  // namespace hpcc::check
