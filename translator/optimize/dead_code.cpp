#include "optimize/dead_code.hpp"

#include "ast/visitor.hpp"
#include "optimize/counters.hpp"
#include "optimize/edits.hpp"

namespace hpcc::optimize {
namespace {

/// `const int k = 2;`, the counter of a loop that was written out.
bool isLiteralConstant(NodePtr statement) {
    const NodePtr list = statement->child(ast::Declaration::declarators);
    if (!list || list->children().size() != 1 || !list->children()[0]->is<ast::InitDeclarator>())
        return false;
    const NodePtr initializer = list->children()[0]->child(ast::InitDeclarator::initializer);
    return ast::is<ast::EqualInitializer>(initializer) &&
           ast::is<ast::NumberLiteral>(initializer->child(ast::EqualInitializer::value));
}

/// A declaration that a schema made and that may go if nothing reads its variable.
bool isRemovable(NodePtr statement, const source::Text* file) {
    if (statement->shape()->span().text == file) return false;
    for (const std::string_view name :
         {"hpspmd::DistributedIndex", "hpspmd::Index", "hpspmd::Dimension", "hpspmd::Range",
          "hpspmd::Group", "hpspmd::detail::Blocks"})
        if (declaresClass(statement, name)) return true;
    const NodePtr specifiers = statement->child(ast::Declaration::specifiers);
    return specifiers && (specifiers->text() == "auto" || isLiteralConstant(statement));
}

/// Collects the removable declarations and, for every use of a variable, which of them it is in.
class UseFinder : public ast::Visitor {
public:
    UseFinder(const Names& names, const source::Text* file) : names_(names), file_(file) {}

    struct Use {
        int variable;
        int by;  // the variable whose initializer reads it; -1: the program
        NodePtr node;
    };
    std::vector<Use> uses;
    std::vector<std::pair<int, NodePtr>> removable;  // variable, statement

    void visitDeclaration(NodePtr node) override {
        const int outer = by_;
        if (isRemovable(node, file_)) {
            const NodePtr list = node->child(ast::Declaration::declarators);
            const int variable = names_.declaredBy(list->children()[0]);
            if (variable >= 0) {
                removable.emplace_back(variable, node);
                by_ = variable;
                visit(list->children()[0]->child(ast::InitDeclarator::initializer));
                by_ = outer;
                return;
            }
        }
        visitChildren(node);
    }
    // The head of a loop keeps its variables.
    void visitFor(NodePtr node) override {
        if (const NodePtr initializer = node->child(ast::For::initializer))
            visitChildren(initializer);
        visit(node->child(ast::For::condition));
        visit(node->child(ast::For::step));
        visit(node->child(ast::For::body));
    }
    void visitIdentifier(NodePtr node) override {
        if (const int variable = names_.find(node); variable >= 0)
            uses.push_back({variable, by_, node});
        if (const std::vector<int>* named = names_.namedIn(node))
            for (const int variable : *named) uses.push_back({variable, by_, node});
    }

private:
    const Names& names_;
    const source::Text* file_;
    int by_ = -1;
};

/// The temporaries are not the user's; the indices are.
void tell(const Function& function, const UseFinder& finder, const std::unordered_set<int>& dead) {
    for (const auto& [variable, statement] : finder.removable) {
        if (!declaresClass(statement, "hpspmd::DistributedIndex")) continue;
        const std::string index =
            "the index '" + std::string(function.names()[variable].name) + "'";
        if (dead.contains(variable)) {
            function.fired(statement, index + " is not made: nothing reads it any more");
            continue;
        }
        for (const UseFinder::Use& use : finder.uses)
            if (use.variable == variable && !dead.contains(use.by)) {
                function.missed(statement, index + " is made in each iteration", use.node,
                                "because here it is read as a whole");
                break;
            }
    }
}

NodePtr withoutDeadCode(Function& function, const source::Text* file) {
    UseFinder finder(function.names(), file);
    finder.visit(function.definition());
    std::unordered_set<int> dead;
    for (const auto& [variable, statement] : finder.removable) dead.insert(variable);
    for (bool changed = true; changed;) {
        changed = false;
        for (const UseFinder::Use& use : finder.uses)
            if (!dead.contains(use.by) && dead.erase(use.variable) > 0) changed = true;
    }
    Edits edits(function);
    for (const auto& [variable, statement] : finder.removable)
        if (dead.contains(variable)) edits.remove(statement);
    if (function.isHeard()) tell(function, finder, dead);
    return edits.apply();
}

}  // namespace

ast::Unit eliminateDeadCode(ast::Unit unit, ast::Quoter& quote) {
    const source::Text* file = unit.text;
    return improveFunctions(std::move(unit), quote, "dead",
                            [file](Function& function) { return withoutDeadCode(function, file); });
}

}  // namespace hpcc::optimize
