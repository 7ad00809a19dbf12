// Misspelt names of the runtime: only where a near name exists, because the library may know more
// names than the translator.
#include "check/library.hpp"
#include "check/near_names.hpp"
#include "check/wording.hpp"

namespace hpcc::check {
namespace {

void didYouMean(Report report, NodePtr name, const std::string& nearest) {
    report.help("did you mean '" + nearest + "'?").fixit(name->span(), nearest);
}

std::string ownerText(TypeKind kind) {
    switch (kind) {
    case TypeKind::Multiarray:
        return "a multiarray";
    case TypeKind::Group:
        return "a process group";
    case TypeKind::Dimension:
        return "a process dimension";
    default:
        return "a range";
    }
}

}  // namespace

void memberName(const Context& context, NodePtr node) {
    const TypeKind kind = typeOf(node->child(ast::Member::base))->kind;
    const bool isRuntime = kind == TypeKind::Multiarray || kind == TypeKind::Group ||
                           kind == TypeKind::Range || kind == TypeKind::Dimension;
    const NodePtr name = node->child(ast::Member::name);
    if (!isRuntime || !name->is<ast::Identifier>() || memberResult(kind, name->text())) return;
    const std::string nearest = nearestName(name->text(), memberNames(kind));
    if (nearest.empty()) return;
    didYouMean(context.report(Id::UnknownMember, name, ownerText(kind), name->text()), name,
               nearest);
}

void adlibName(const Context& context, NodePtr node) {
    const NodePtr qualifier = node->child(ast::QualifiedName::qualifier);
    const NodePtr name = node->child(ast::QualifiedName::name);
    const ast::Symbol* space = qualifier ? qualifier->symbol : nullptr;
    if (!space || space->name != "Adlib" || !space->members || node->symbol) return;
    std::vector<std::string> names;
    for (const ast::Scope* scope : space->members->included())
        for (const ast::Symbol* symbol : scope->symbols()) names.push_back(symbol->name);
    for (const ast::Symbol* symbol : space->members->symbols()) names.push_back(symbol->name);
    const std::string nearest = nearestName(name->text(), names);
    if (nearest.empty() || !name->is<ast::Identifier>()) return;
    didYouMean(context.report(Id::UnknownMember, name, "Adlib", name->text()), name, nearest);
}

}  // namespace hpcc::check
