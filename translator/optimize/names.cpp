#include "optimize/names.hpp"

#include <cctype>
#include <numeric>

#include "ast/declarators.hpp"
#include "ast/visitor.hpp"
#include "optimize/step_effects.hpp"

namespace hpcc::optimize {
namespace {

bool hasSpecifier(NodePtr specifiers, std::string_view word) {
    if (!specifiers) return false;
    for (const NodePtr child : specifiers->children()) {
        if (ast::is<ast::Specifier>(child) && child->text() == word) return true;
        if (ast::is<ast::SpecifierList>(child) && hasSpecifier(child, word)) return true;
    }
    return false;
}

bool declaresReference(NodePtr declarator) {
    if (!ast::is<ast::PointerDeclarator>(declarator)) return false;
    for (const NodePtr op : declarator->child(ast::PointerDeclarator::operators)->children())
        if (op->is<ast::Reference>() || op->is<ast::RvalueReference>()) return true;
    return false;
}

}  // namespace

/// Walks a function in textual order with a stack of scopes.
class NameResolver : public ast::EvaluationVisitor {
public:
    explicit NameResolver(Names& names) : names_(names) {}

    void resolve(NodePtr function) {
        visit(function);
        std::vector<size_t>& first = names_.firstUses_;
        first.assign(names_.variables_.size() + 1, 0);
        for (const Use& use : uses_) ++first[static_cast<size_t>(use.variable) + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<size_t> next(first);
        names_.uses_.resize(uses_.size());
        for (const Use& use : uses_)
            names_.uses_[next[static_cast<size_t>(use.variable)]++] = use.node;
    }

    void visitFunctionDefinition(NodePtr node) override {
        if (entered_) return;  // a member of a local class sees no variables
        entered_ = true;
        addBody(node->child(ast::FunctionDefinition::body));
        visit(node->child(ast::FunctionDefinition::declarator));
        visit(node->child(ast::FunctionDefinition::initializers));
        visit(node->child(ast::FunctionDefinition::body));
    }

    void visitIdentifier(NodePtr node) override {
        const std::string_view text = node->text();
        const size_t end = wordEnd(text, 0);
        if (end == text.size()) {
            const int variable = lookUp(text);
            if (variable >= 0) names_.found_.insert(node, variable);
            use(variable, node);
        } else {
            madeText(node);
        }
    }

    // What holds names of other things than variables.
    void visitMember(NodePtr node) override {
        const NodePtr base = node->child(ast::Member::base);
        if (base->is<ast::Identifier>()) names_.members_.insert(base, node);
        visit(base);
    }
    void visitPointerMember(NodePtr node) override { visit(node->child(ast::PointerMember::base)); }
    void visitDesignatedInitializer(NodePtr node) override {
        visit(node->child(ast::DesignatedInitializer::value));
    }
    void visitMemberInitializer(NodePtr node) override {
        visit(node->child(ast::MemberInitializer::initializer));
    }
    void visitLabel(NodePtr node) override {
        names_.hasLabels_[static_cast<size_t>(body_)] = true;
        visit(node->child(ast::Label::body));
    }
    void visitOpaqueStatement(NodePtr) override { opaque(); }
    void visitOpaqueExpression(NodePtr) override { opaque(); }
    void visitOpaqueDeclaration(NodePtr) override { opaque(); }
    void visitRequiresExpression(NodePtr) override { opaque(); }
    void visitMacroStatement(NodePtr node) override {
        // HPSPMD_INDEPENDENT(j) for (..): the runtime's words to the C++ compiler about a loop.
        if (!node->child(ast::MacroStatement::head)->text().starts_with("HPSPMD_")) opaque();
        visit(node->child(ast::MacroStatement::body));
    }
    void visitGoto(NodePtr) override {}
    void visitQualifiedName(NodePtr) override {}
    void visitTemplateName(NodePtr) override {}
    void visitClass(NodePtr) override {}
    void visitEnum(NodePtr) override {}

    // Scopes.
    void visitCompound(NodePtr node) override { scoped(node); }
    void visitIf(NodePtr node) override { scoped(node); }
    void visitFor(NodePtr node) override { scoped(node); }
    void visitWhile(NodePtr node) override { scoped(node); }
    void visitSwitch(NodePtr node) override { scoped(node); }
    void visitHandler(NodePtr node) override { scoped(node); }
    void visitRangeFor(NodePtr node) override {
        const size_t outer = scope_.size();
        visit(node->child(ast::RangeFor::initializer));
        visit(node->child(ast::RangeFor::range));
        declareAll(node->child(ast::RangeFor::declarator),
                   {.declaration = node, .specifiers = node->child(ast::RangeFor::specifiers)});
        visit(node->child(ast::RangeFor::body));
        scope_.resize(outer);
    }
    void visitLambda(NodePtr node) override {
        const size_t outer = scope_.size();
        const int outerBody = body_;
        const NodePtr body = node->child(ast::Lambda::body);
        for (const NodePtr capture : node->child(ast::Lambda::captures)->children()) visit(capture);
        body_ = addBody(body);
        for (const NodePtr capture : node->child(ast::Lambda::captures)->children())
            declareCapture(capture);
        visit(node->child(ast::Lambda::parameters));
        visit(body);
        body_ = outerBody;
        scope_.resize(outer);
    }
    void visitValueCapture(NodePtr node) override {
        const NodePtr initializer = node->child(ast::ValueCapture::initializer);
        visit(initializer ? initializer : node->child(ast::ValueCapture::name));
    }
    void visitReferenceCapture(NodePtr node) override {
        const NodePtr initializer = node->child(ast::ReferenceCapture::initializer);
        visit(initializer ? initializer : node->child(ast::ReferenceCapture::name));
    }

    // Declarations.
    void visitDeclaration(NodePtr node) override {
        const NodePtr specifiers = node->child(ast::Declaration::specifiers);
        const NodePtr list = node->child(ast::Declaration::declarators);
        if (!list || hasSpecifier(specifiers, "typedef")) return;
        const bool persistent = hasSpecifier(specifiers, "static") ||
                                hasSpecifier(specifiers, "extern") ||
                                hasSpecifier(specifiers, "thread_local");
        for (const NodePtr each : list->children()) {
            if (!each->is<ast::InitDeclarator>()) continue;
            const NodePtr declarator = each->child(ast::InitDeclarator::declarator);
            if (ast::functionDeclarator(declarator)) continue;
            declareAll(declarator, {.declaration = each,
                                    .specifiers = specifiers,
                                    .initializer = each->child(ast::InitDeclarator::initializer),
                                    .isPersistent = persistent});
            visit(each->child(ast::InitDeclarator::initializer));
        }
    }
    void visitParameter(NodePtr node) override {
        declareAll(node->child(ast::Parameter::declarator),
                   {.declaration = node,
                    .specifiers = node->child(ast::Parameter::specifiers),
                    .isParameter = true});
    }
    void visitConditionDeclaration(NodePtr node) override {
        declareAll(node->child(ast::ConditionDeclaration::declarator),
                   {.declaration = node,
                    .specifiers = node->child(ast::ConditionDeclaration::specifiers),
                    .initializer = node->child(ast::ConditionDeclaration::initializer)});
        visit(node->child(ast::ConditionDeclaration::initializer));
    }

private:
    int addBody(NodePtr body) {
        const int number = static_cast<int>(names_.bodyList_.size());
        names_.bodyList_.push_back(body);
        names_.bodies_[body] = number;
        names_.isOpaque_.push_back(!body->is<ast::Compound>());
        names_.hasLabels_.push_back(false);
        return number;
    }
    void opaque() { names_.isOpaque_[static_cast<size_t>(body_)] = true; }

    static size_t wordEnd(std::string_view text, size_t begin) {
        while (begin < text.size() &&
               (text[begin] == '_' || std::isalnum(static_cast<unsigned char>(text[begin]))))
            ++begin;
        return begin;
    }

    int lookUp(std::string_view name) const {
        for (size_t k = scope_.size(); k-- > 0;)
            if (names_.variables_[static_cast<size_t>(scope_[k])].name == name) return scope_[k];
        return -1;
    }

    void use(int variable, NodePtr node) {
        if (variable >= 0) uses_.push_back({variable, node});
    }

    /// Every word of it, for the safe side.
    void madeText(NodePtr leaf) {
        const std::string_view text = leaf->text();
        for (size_t begin = 0; begin < text.size(); ++begin) {
            const size_t end = wordEnd(text, begin);
            const int variable = end > begin ? lookUp(text.substr(begin, end - begin)) : -1;
            if (variable >= 0) names_.named_[leaf].push_back(variable);
            use(variable, leaf);
            begin = end;
        }
    }

    void scoped(NodePtr node) {
        const size_t outer = scope_.size();
        visitChildren(node);
        scope_.resize(outer);
    }

    void declareCapture(NodePtr capture) {
        if (ast::is<ast::ValueCapture>(capture) && capture->child(ast::ValueCapture::initializer))
            declare(capture->child(ast::ValueCapture::name), {.declaration = capture});
        if (ast::is<ast::ReferenceCapture>(capture) &&
            capture->child(ast::ReferenceCapture::initializer)) {
            Variable variable{.declaration = capture};
            variable.isReference = true;
            declare(capture->child(ast::ReferenceCapture::name), variable);
        }
    }

    /// The n of `double line[n]`.
    void visitLengths(NodePtr declarator) {
        if (ast::is<ast::PointerDeclarator>(declarator))
            return visitLengths(declarator->child(ast::PointerDeclarator::declarator));
        if (!ast::is<ast::ArrayDeclarator>(declarator)) return;
        visitLengths(declarator->child(ast::ArrayDeclarator::declarator));
        visit(declarator->child(ast::ArrayDeclarator::size));
    }

    void declareAll(NodePtr declarator, Variable variable) {
        visitLengths(declarator);
        const bool byReference = declaresReference(declarator);
        if (ast::is<ast::PointerDeclarator>(declarator) &&
            ast::is<ast::StructuredBinding>(declarator->child(ast::PointerDeclarator::declarator)))
            declarator = declarator->child(ast::PointerDeclarator::declarator);
        if (ast::is<ast::StructuredBinding>(declarator)) {
            // `const auto [n, m]` copies; others may name parts of what can change.
            variable.isReference = byReference || !hasSpecifier(variable.specifiers, "const");
            for (const NodePtr name : declarator->children()) declare(name, variable);
            return;
        }
        variable.isReference = declaresReference(declarator);
        declare(ast::declaredName(declarator), variable);
    }

    void declare(NodePtr name, Variable variable) {
        if (!ast::is<ast::Identifier>(name)) return;
        variable.name = name->text();
        variable.body = body_;
        const int number = names_.size();
        names_.declared_.emplace(variable.declaration, number);
        names_.variables_.push_back(variable);
        names_.found_.insert(name, number);
        scope_.push_back(number);
    }

    struct Use {
        int variable;
        NodePtr node;
    };

    Names& names_;
    std::vector<Use> uses_;  // in textual order
    std::vector<int> scope_;
    int body_ = 0;
    bool entered_ = false;
};

namespace {

/// A loop over local blocks binds its reference to a value that nobody else sees.
bool isBlock(const Variable& variable) {
    return ast::is<ast::RangeFor>(variable.declaration) && variable.specifiers &&
           variable.specifiers->text().find("hpspmd::Block") != std::string_view::npos;
}

/// `const double *p`: the pointer itself may change.
bool isPointer(const Variable& variable) {
    const NodePtr declarator =
        variable.declaration->children().empty() ? nullptr : variable.declaration->child(0);
    return ast::is<ast::PointerDeclarator>(declarator) || ast::is<ast::ArrayDeclarator>(declarator);
}

}  // namespace

Names::Names(NodePtr function) {
    NameResolver(*this).resolve(function);
    for (size_t body = 0; body < bodyList_.size(); ++body) {
        const StepEffects effects = effectsOfBody(*this, bodyList_[body]);
        for (const int variable : effects.assigned) {
            Variable& changed = variables_[static_cast<size_t>(variable)];
            ++changed.assignments;
            if (changed.body != static_cast<int>(body)) changed.escapes = true;
        }
        for (const int variable : effects.escaping)
            variables_[static_cast<size_t>(variable)].escapes = true;
    }
    for (Variable& variable : variables_) {
        // What is declared const is never changed, whoever has its address.
        if (hasSpecifier(variable.specifiers, "const") && !variable.isReference &&
            !isPointer(variable)) {
            variable.escapes = variable.isPersistent;
            variable.assignments = 0;
        }
        if (variable.isPersistent || (variable.isReference && !isBlock(variable)))
            variable.escapes = true;
    }
}

}  // namespace hpcc::optimize
