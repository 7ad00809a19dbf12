// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/name_resolver.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ast/declarators.hpp"
#include "ast/static_visitor.hpp"
#include "optimize/step_effects.hpp"
#include "optimize/step_recorder.hpp"

namespace hpcc::optimize {

using namespace std::string_view_literals;

namespace {

/// The words around a type that matter here.
struct Words {
    bool isTypedef = false;
    bool isPersistent = false;  // static, extern, thread_local
    bool isConst = false;
};

void findWords(NodePtr specifiers, Words& words) {
    if (!specifiers) return;
    for (const NodePtr child : specifiers->children()) {
        if (ast::is<ast::SpecifierList>(child)) findWords(child, words);
        if (!ast::is<ast::Specifier>(child)) continue;
        const std::string_view word = child->text();
        words.isConst |= word == "const";
        words.isTypedef |= word == "typedef";
        words.isPersistent |= word == "static" || word == "extern" || word == "thread_local";
    }
}

Words wordsOf(NodePtr specifiers) {
    Words words;
    findWords(specifiers, words);
    return words;
}

bool isWordPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool declaresReference(NodePtr declarator) {
    if (!ast::is<ast::PointerDeclarator>(declarator)) return false;
    for (const NodePtr op : declarator->child(ast::PointerDeclarator::operators)->children())
        if (op->is<ast::Reference>() || op->is<ast::RvalueReference>()) return true;
    return false;
}

}  // namespace

/// Walks a function in textual order with a stack of scopes.
class NameResolver : public ast::StaticEvaluationVisitor<NameResolver> {
public:
    NameResolver(Names& names, const Names* before) : names_(names), steps_(names, before) {}

    void resolve(NodePtr function) {
        visit(function);
        std::vector<size_t>& first = names_.firstUses_;
        first.assign(names_.variables_.size() + 1, 0);
        for (const NamePlace& use : uses_) ++first[static_cast<size_t>(use.variable) + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<size_t> next(first);
        names_.uses_.resize(uses_.size());
        names_.members_.resize(uses_.size());
        names_.useSteps_.resize(uses_.size());
        for (const NamePlace& use : uses_) {
            const size_t place = next[static_cast<size_t>(use.variable)]++;
            names_.uses_[place] = use.node;
            names_.members_[place] = use.member;
            names_.useSteps_[place] = use.step;
        }
    }

    void visit(NodePtr node) {
        if (!node) return;
        const bool begins = !steps_.step() && isInBody_ && isStep(node);
        if (begins) steps_.begin(node, body_);
        if (begins && steps_.isTakenOver()) return steps_.end();
        StaticEvaluationVisitor::visit(node);
        if (steps_.step()) steps_.add(node);
        if (begins) steps_.end();
    }

    void visitFunctionDefinition(NodePtr node) {
        if (entered_) return;  // a member of a local class sees no variables
        entered_ = true;
        addBody(node->child(ast::FunctionDefinition::body));
        visit(node->child(ast::FunctionDefinition::declarator));
        visit(node->child(ast::FunctionDefinition::initializers));
        isInBody_ = true;
        visit(node->child(ast::FunctionDefinition::body));
    }

    void visitIdentifier(NodePtr node) {
        const std::string_view text = node->text();
        const int variable = lookUp(text);
        if (variable >= 0) {
            names_.note({variable, node, nullptr, steps_.step(), false});
        } else if (!std::ranges::all_of(text, isWordPart)) {
            madeText(node);
        }
    }

    // What holds names of other things than variables.
    void visitMember(NodePtr node) {
        const NodePtr base = node->child(ast::Member::base);
        const size_t before = uses_.size();
        visit(base);
        if (uses_.size() > before && uses_[before].node == base) uses_[before].member = node;
    }
    void visitPointerMember(NodePtr node) { visit(node->child(ast::PointerMember::base)); }
    void visitDesignatedInitializer(NodePtr node) {
        visit(node->child(ast::DesignatedInitializer::value));
    }
    void visitMemberInitializer(NodePtr node) {
        visit(node->child(ast::MemberInitializer::initializer));
    }
    void visitLabel(NodePtr node) {
        body().hasLabels = true;
        visit(node->child(ast::Label::body));
    }
    void visitOpaqueStatement(NodePtr) { opaque(); }
    void visitOpaqueExpression(NodePtr) { opaque(); }
    void visitOpaqueDeclaration(NodePtr) { opaque(); }
    void visitRequiresExpression(NodePtr) { opaque(); }
    void visitMacroStatement(NodePtr node) {
        // HPSPMD_INDEPENDENT(j) for (..): the runtime's words to the C++ compiler about a loop.
        if (!node->child(ast::MacroStatement::head)->text().starts_with("HPSPMD_")) opaque();
        visit(node->child(ast::MacroStatement::body));
    }
    void visitGoto(NodePtr) {}
    void visitQualifiedName(NodePtr node) { unevaluated(node); }
    void visitTemplateName(NodePtr node) { unevaluated(node); }
    void visitSizeof(NodePtr node) { unevaluated(node); }
    void visitTypeid(NodePtr node) { unevaluated(node); }
    void visitNoexcept(NodePtr node) { unevaluated(node); }
    void visitTypeName(NodePtr node) { unevaluated(node); }
    void visitSpecifiers(NodePtr node) { unevaluated(node); }
    void visitClass(NodePtr) {}
    void visitEnum(NodePtr) {}

    // Scopes.
    void visitCompound(NodePtr node) { scoped(node); }
    void visitIf(NodePtr node) { scoped(node); }
    void visitFor(NodePtr node) { loop(node); }
    void visitWhile(NodePtr node) { loop(node); }
    void visitDoWhile(NodePtr node) { loop(node); }
    void visitSwitch(NodePtr node) { scoped(node); }
    void visitHandler(NodePtr node) { scoped(node); }
    void visitRangeFor(NodePtr node) {
        body().hasLoops = body().hasRangeLoops = true;
        const size_t outer = scope_.size();
        visit(node->child(ast::RangeFor::initializer));
        visit(node->child(ast::RangeFor::range));
        const NodePtr specifiers = node->child(ast::RangeFor::specifiers);
        declareAll(node->child(ast::RangeFor::declarator),
                   {.declaration = node,
                    .specifiers = specifiers,
                    .isConst = wordsOf(specifiers).isConst});
        steps_.begin(node, body_);
        steps_.add(node);
        steps_.end();
        visit(node->child(ast::RangeFor::body));
        leaveScopes(outer);
    }
    void visitLambda(NodePtr node) {
        const size_t outer = scope_.size();
        const int outerBody = body_;
        const bool wasInBody = isInBody_;
        const NodePtr body = node->child(ast::Lambda::body);
        const auto captures = node->child(ast::Lambda::captures)->children();
        for (const NodePtr capture : captures) visitCapture(capture);
        const StepRecorder::Outer outerStep = steps_.pause();
        isInBody_ = false;
        body_ = addBody(body);
        for (const NodePtr capture : captures) declareCapture(capture);
        visit(node->child(ast::Lambda::parameters));
        isInBody_ = true;
        visit(body);
        isInBody_ = wasInBody;
        steps_.resume(outerStep);
        body_ = outerBody;
        leaveScopes(outer);
    }

    /// What a reference is bound to is not evaluated.
    void visitCapture(NodePtr capture) {
        if (!capture->is<ast::ReferenceCapture>()) return visit(capture);
        const StepRecorder::Outer outerStep = steps_.pause();
        const bool wasInBody = std::exchange(isInBody_, false);
        visit(capture);
        isInBody_ = wasInBody;
        steps_.resume(outerStep);
    }

    // Declarations.
    void visitDeclaration(NodePtr node) {
        const NodePtr specifiers = node->child(ast::Declaration::specifiers);
        const NodePtr list = node->child(ast::Declaration::declarators);
        const Words words = wordsOf(specifiers);
        unevaluated(specifiers);
        if (!list || words.isTypedef) return;
        body().hasDeclarations = true;
        for (const NodePtr each : list->children()) {
            if (!each->is<ast::InitDeclarator>()) continue;
            const NodePtr declarator = each->child(ast::InitDeclarator::declarator);
            if (ast::functionDeclarator(declarator)) continue;
            steps_.begin(each, body_);
            declareAll(declarator, {.declaration = each,
                                    .specifiers = specifiers,
                                    .initializer = each->child(ast::InitDeclarator::initializer),
                                    .isConst = words.isConst,
                                    .isPersistent = words.isPersistent});
            steps_.declare();
            if (!steps_.isTakenOver()) {
                visit(each->child(ast::InitDeclarator::initializer));
                steps_.add(each);
            }
            steps_.end();
        }
    }
    void visitParameter(NodePtr node) {
        const NodePtr specifiers = node->child(ast::Parameter::specifiers);
        declareAll(node->child(ast::Parameter::declarator),
                   {.declaration = node,
                    .specifiers = specifiers,
                    .isParameter = true,
                    .isConst = wordsOf(specifiers).isConst});
    }
    void visitConditionDeclaration(NodePtr node) {
        steps_.spoil();
        const NodePtr specifiers = node->child(ast::ConditionDeclaration::specifiers);
        declareAll(node->child(ast::ConditionDeclaration::declarator),
                   {.declaration = node,
                    .specifiers = specifiers,
                    .initializer = node->child(ast::ConditionDeclaration::initializer),
                    .isConst = wordsOf(specifiers).isConst});
        visit(node->child(ast::ConditionDeclaration::initializer));
    }

private:
    int addBody(NodePtr body) {
        const int number = static_cast<int>(names_.bodies_.size());
        names_.bodies_.push_back(
            {.node = body, .isLambda = number > 0, .isOpaque = !body->is<ast::Compound>()});
        return number;
    }
    static bool isStep(NodePtr node) {
        return !node->is<ast::Comma>() &&
               (ast::isExpression(node) || node->is<ast::ConditionDeclaration>());
    }
    Body& body() { return names_.bodies_[static_cast<size_t>(body_)]; }
    void opaque() {
        body().isOpaque = true;
        steps_.spoil();
    }
    /// `sizeof(a[i])`, `f<k>`: no step of the program, but what it names must stay declared.
    void unevaluated(NodePtr node) {
        if (!node || (node->isParsed() && isPlainName(node))) return;
        const int number = ast::is<ast::Identifier>(node) ? lookUp(node->text()) : -1;
        const Variable* named =
            number < 0 ? nullptr : &names_.variables_[static_cast<size_t>(number)];
        const bool isTyped = named && named->specifiers;
        if (isTyped && named->specifiers->text().find("hpspmd::") != std::string_view::npos) {
            opaque();
            names_.bodies_[static_cast<size_t>(named->body)].isOpaque = true;
        }
        for (const NodePtr child : node->children()) unevaluated(child);
    }

    /// `const hpspmd::Index`, `hpspmd::detail::part`: names of no variables, though one be called
    /// `part`. Others hold expressions, or members of a class.
    static bool isPlainName(NodePtr node) {
        return (node->is<ast::Specifiers>() || node->is<ast::QualifiedName>()) &&
               std::ranges::none_of("<({"sv, [text = node->text()](char opening) {
                   return text.find(opening) != std::string_view::npos;
               });
    }

    static size_t wordEnd(std::string_view text, size_t begin) {
        while (begin < text.size() && isWordPart(text[begin])) ++begin;
        return begin;
    }

    int lookUp(std::string_view name) const {
        const int number = names_.numbers_.find(name);
        return number < 0 ? -1 : names_.meanings_[static_cast<size_t>(number)].current;
    }

    /// Every word of it, for the safe side.
    void madeText(NodePtr leaf) {
        const std::string_view text = leaf->text();
        for (size_t begin = 0; begin < text.size(); ++begin) {
            const size_t end = wordEnd(text, begin);
            const int variable = end > begin ? lookUp(text.substr(begin, end - begin)) : -1;
            if (variable >= 0) names_.note({variable, leaf, nullptr, steps_.step(), true});
            begin = end;
        }
    }

    void scoped(NodePtr node) {
        const size_t outer = scope_.size();
        visitChildren(node);
        leaveScopes(outer);
    }

    void loop(NodePtr node) {
        body().hasLoops = true;
        scoped(node);
    }

    /// Names mean again what they meant when so many variables were in scope.
    void leaveScopes(size_t outer) {
        for (; scope_.size() > outer; scope_.pop_back())
            names_.meanings_[scope_.back().name].current = scope_.back().hidden;
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
        steps_.spoil();
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
            variable.isReference = byReference || !variable.isConst;
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
        variable.holdsElements = ast::is<ast::EqualInitializer>(variable.initializer) &&
                                 isDataCall(variable.initializer->child(0));
        const int number = names_.size();
        const auto named = static_cast<size_t>(names_.numbers_.insert(variable.name));
        if (named == names_.meanings_.size()) names_.meanings_.emplace_back();
        variable.nameNumber = static_cast<int>(named);
        Names::Meaning& meaning = names_.meanings_[named];
        variable.namesake = std::exchange(meaning.last, number);
        scope_.push_back({named, std::exchange(meaning.current, number)});
        names_.declared_.insert(variable.declaration, number);
        names_.variables_.push_back(variable);
        names_.found_.insert(name, number);
    }

    Names& names_;
    StepRecorder steps_;
    std::vector<NamePlace>& uses_ = names_.places_;
    struct InScope {
        size_t name;  // its number
        int hidden;   // the variable that the name meant before
    };
    std::vector<InScope> scope_;
    int body_ = 0;
    bool isInBody_ = false;  // and not among parameters
    bool entered_ = false;
};

void resolveNames(Names& names, const Names* before) {
    NameResolver(names, before).resolve(names.function());
}

}  // namespace hpcc::optimize
