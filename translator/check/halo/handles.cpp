// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/handles.hpp"

#include "ast/declarators.hpp"
#include "ast/symbol.hpp"
#include "ast/visitor.hpp"
#include "check/facts.hpp"
#include "check/flow/tracked.hpp"

#include <algorithm>

namespace hpcc::check::halo {
namespace {

using ast::SymbolKind;

bool isVariable(const Symbol* symbol) {
    return symbol && (symbol->kind == SymbolKind::Variable ||
                      symbol->kind == SymbolKind::Parameter || symbol->kind == SymbolKind::Field);
}

}  // namespace

std::optional<Path> writtenPath(NodePtr expression) {
    expression = bare(expression);
    if (!expression) return std::nullopt;
    if (expression->is<ast::Identifier>() || expression->is<ast::QualifiedName>())
        return isVariable(expression->symbol) ? std::optional(Path{expression->symbol, ""})
                                              : std::nullopt;
    if (expression->is<ast::PointerMember>()) {  // this->u
        const NodePtr name = expression->child(ast::PointerMember::name);
        const bool isOwn = expression->child(ast::PointerMember::base)->text() == "this";
        return isOwn && isVariable(name->symbol) ? std::optional(Path{name->symbol, ""})
                                                 : std::nullopt;
    }
    if (!expression->is<ast::Member>()) return std::nullopt;
    auto path = writtenPath(expression->child(ast::Member::base));
    if (path) path->fields += "." + std::string(expression->child(ast::Member::name)->text());
    return path;
}

bool hasDistributedSlot(const Type* type) {
    return type->kind == TypeKind::Multiarray &&
           std::ranges::find(type->slots, SlotKind::Distributed) != type->slots.end();
}

bool isVague(const Type* type) {
    return isUnknown(type) || (type->isDependent && type->kind != TypeKind::Multiarray);
}

bool isAdlibClass(const Type* type, std::string_view name) {
    return type->kind == TypeKind::Class && type->classSymbol && !type->classSymbol->declaration &&
           type->classSymbol->name == name;
}

bool isWriteHaloSchedule(const Type* type) { return isAdlibClass(type, "WriteHalo"); }

// ---- collecting --------------------------------------------------------------------------------

class HandleCollector : ast::Visitor {
public:
    HandleCollector(Handles& handles, NodePtr function) : handles_(handles) {
        const bool isLambda = function->is<ast::Lambda>();
        if (isLambda) {
            visit(function->child(ast::Lambda::captures));
            visit(function->child(ast::Lambda::body));
        } else {
            visit(function->child(ast::FunctionDefinition::initializers));
            visit(function->child(ast::FunctionDefinition::body));
        }
        for (const auto& [path, type] : uses_) handles_.add(resolved(path), type);
    }

private:
    void visitIdentifier(NodePtr node) override { use(node); }
    void visitMember(NodePtr node) override {
        use(node);
        visit(node->child(ast::Member::base));
    }
    void visitPointerMember(NodePtr node) override {
        use(node);
        visit(node->child(ast::PointerMember::base));
    }
    void visitInitDeclarator(NodePtr node) override { declare(node); }
    void visitConditionDeclaration(NodePtr node) override { declare(node); }
    void visitRangeFor(NodePtr node) override {
        declareBindings(node->child(ast::RangeFor::declarator));
        handles_.locals_.push_back(node->symbol);
        visitChildren(node);
    }
    void visitLambda(NodePtr node) override {
        for (NodePtr each : node->child(ast::Lambda::captures)->children())
            if (each->child(1)) handles_.locals_.push_back(each->symbol);
        visitChildren(node);
    }
    void visitParameter(NodePtr node) override {  // of an inner lambda
        handles_.locals_.push_back(node->symbol);
    }

    void declare(NodePtr node) {
        const auto [declarator, initializer] = ast::declaredIn(node);
        visit(initializer);
        declareBindings(declarator);
        if (!node->symbol) return;
        handles_.locals_.push_back(node->symbol);
        if (isWriteHaloSchedule(typeOf(node)))
            uses_.emplace_back(Path{node->symbol, ""}, typeOf(node));
        const NodePtr value =
            flow::bindsReference(declarator) ? singleInitializer(initializer) : nullptr;
        if (const auto path = writtenPath(value))
            handles_.references_.emplace(node->symbol, resolved(*path));
    }

    void declareBindings(NodePtr declarator) {
        while (declarator && !declarator->is<ast::StructuredBinding>())
            declarator = declarator->children().empty() ? nullptr : declarator->children().back();
        if (!declarator) return;
        for (NodePtr name : declarator->children()) handles_.locals_.push_back(name->symbol);
    }

    void use(NodePtr node) {
        if (!hasDistributedSlot(typeOf(node))) return;
        if (const auto path = writtenPath(node)) uses_.emplace_back(*path, typeOf(node));
    }

    Path resolved(Path path) const {
        const auto found = handles_.references_.find(path.root);
        if (found == handles_.references_.end()) return path;
        return {found->second.root, found->second.fields + path.fields};
    }

    Handles& handles_;
    std::vector<std::pair<Path, const Type*>> uses_;
};

Handles::Handles(NodePtr function) {
    HandleCollector(*this, function);
    addTwins();
    areTooMany_ = count() > limit;
}

void Handles::add(const Path& path, const Type* type) {
    if (!numbers_.emplace(path, handles_.size()).second) return;
    const bool isLocal = std::ranges::find(locals_, path.root) != locals_.end();
    handles_.push_back({path, type, !isLocal, false, 0});
}

void Handles::addTwins() {
    const std::size_t own = handles_.size();
    for (std::size_t k = 0; k < own; ++k) {
        if (!handles_[k].isOuter) continue;
        handles_[k].twin = handles_.size();
        handles_.push_back({handles_[k].path, handles_[k].type, true, true, k});
    }
}

// ---- asking ------------------------------------------------------------------------------------

std::optional<Path> Handles::pathOf(NodePtr expression) const {
    auto path = writtenPath(expression);
    if (!path) return path;
    const auto found = references_.find(path->root);
    if (found == references_.end()) return path;
    return Path{found->second.root, found->second.fields + path->fields};
}

std::optional<std::size_t> Handles::find(const Path& path) const {
    const auto found = numbers_.find(path);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> Handles::find(NodePtr expression) const {
    const auto path = pathOf(expression);
    return path ? find(*path) : std::nullopt;
}

bool Handles::isOfOthers(std::size_t handle) const {
    const Path& path = handles_[handle].path;
    if (!handles_[handle].isOuter || handles_[handle].isTwin) return false;
    const bool isVariable = path.root->kind == SymbolKind::Parameter && path.fields.empty();
    return !isVariable || (path.root->type && path.root->type->isReference);
}

std::vector<std::size_t> Handles::under(const Path& path) const {
    std::vector<std::size_t> found;
    for (const auto& [each, number] : numbers_) {
        const bool isInside =
            each.root == path.root && each.fields.starts_with(path.fields) &&
            (each.fields.size() == path.fields.size() || each.fields[path.fields.size()] == '.');
        if (isInside) found.push_back(number);
    }
    return found;
}

}  // namespace hpcc::check::halo
