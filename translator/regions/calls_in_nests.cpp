// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/calls_in_nests.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "regions/called_arguments.hpp"
#include "regions/called_function.hpp"
#include "regions/called_nests.hpp"
#include "regions/called_text.hpp"
#include "regions/calls_in_statements.hpp"
#include "regions/hidden_fields.hpp"
#include "regions/scopes.hpp"

namespace hpcc::regions {
namespace {

constexpr std::size_t mostCalls = 2000;  // of a text

bool opensScope(NodePtr node) {
    return ast::isAny<ast::Compound, ast::For, ast::While, ast::If, ast::RangeFor, ast::Switch,
                      ast::Overall, ast::OverallExpression, ast::At, ast::Lambda,
                      ast::FunctionDefinition, ast::Handler, ast::Template>(node);
}

bool holdsCall(NodePtr node) {
    return node->contains(ast::call) || ast::anywhere(node, isOperatorCall);
}

bool isRange(NodePtr call) { return call->type && call->type->kind == ast::TypeKind::Range; }

struct Expansion {
    CalledCode code;
    std::unique_ptr<CalledText> text;
};

class CallWriter {
public:
    CallWriter(const ast::Unit& unit, std::vector<CallLeft>& left, HiddenFields opened = {})
        : unit_(unit),
          opened_(std::move(opened)),
          codeOf_(
              [this](NodePtr call) { return isInNest_ ? calledCode(call) : codeWithNests(call); }),
          left_(left),
          names_(unit.identifiers),
          out_(*unit.text) {
        outside_.push_back(unit.scope);
        for (const NodePtr each : ast::allOf<ast::Overall>(unit.root)) noteCalled(each);
        for (const NodePtr each : ast::allOf<ast::OverallExpression>(unit.root)) noteCalled(each);
        runsNests_ = ast::anywhere(
            unit.root, [](NodePtr each) { return ast::is<ast::Call>(each) && tellsNests(each); });
    }

    // Fields that calls need to be written where they stand.
    const HiddenFields& hidden() const { return hidden_; }

    void write(NodePtr node) {
        if (!node) return;
        if (const std::string_view access = openedIn(node); !access.empty()) {
            ++count_;
            out_.add("public: ");
            gap(node->span());
            return out_.add(" " + std::string(access) + ":");
        }
        if (expansions_.contains(node)) return writeValue(node);
        if (mayBecomeUnused(node)) out_.add("[[maybe_unused]] ");
        if (!isLookedInto(node)) return gap(node->span());
        if (ast::is<ast::Namespace>(node)) return writeNamespace(node);
        if (ast::is<ast::Class>(node)) return writeClass(node);
        if (ast::isAny<ast::Overall, ast::OverallExpression>(node)) return writeNest(node);
        if (ast::isStatement(node) && (isInNest_ || mayRunNests(node))) return writeStatement(node);
        writeParts(node);
    }

    std::optional<std::string> take() {
        return count_ > 0 ? std::optional(out_.take()) : std::nullopt;
    }

    // What forEachPiece tells.
    void gap(source::Span piece) { out_.takeOver(piece); }
    void joint(std::string_view) {}
    void child(NodePtr child) { write(child); }
    static bool keeps(NodePtr) { return false; }

private:
    // A lambda or a function of this file alone that a nest calls.
    bool mayBecomeUnused(NodePtr node) const {
        const bool isMember = !path_.empty() && ast::is<ast::Members>(path_.back()) &&
                              path_.size() > 1 && ast::is<ast::Class>(path_[path_.size() - 2]);
        if (isInNest_ || isMember || node->text().starts_with("[[")) return false;
        if (ast::is<ast::FunctionDefinition>(node))
            return called_.contains(node) &&
                   (isStatic(node) || std::ranges::any_of(path_, [](NodePtr each) {
                        return ast::is<ast::Namespace>(each) && !each->child(ast::Namespace::name);
                    }));
        const NodePtr all =
            ast::is<ast::Declaration>(node) ? node->child(ast::Declaration::declarators) : nullptr;
        return all && std::ranges::any_of(all->children(),
                                          [this](NodePtr each) { return called_.contains(each); });
    }

    static bool isStatic(NodePtr function) {
        const NodePtr specifiers = function->child(ast::FunctionDefinition::specifiers);
        const NodePtr before =
            ast::is<ast::Specifiers>(specifiers) ? specifiers->child(0) : nullptr;
        return before && std::ranges::any_of(before->children(),
                                             [](NodePtr each) { return each->text() == "static"; });
    }

    void noteCalled(NodePtr nest) {
        for (const NodePtr call : ast::allOf<ast::Call>(nest)) {
            const NodePtr function = functionOf(call);
            const Symbol* const name = call->child(ast::Call::callee)->symbol;
            if (function)
                called_.insert(ast::is<ast::Lambda>(function) && name ? name->declaration
                                                                      : function);
        }
    }

    bool isLookedInto(NodePtr node) const {
        return node->contains(ast::extension) || ((isInNest_ || runsNests_) && holdsCall(node));
    }

    // A statement of a function outside of nests that may call one with nests.
    bool mayRunNests(NodePtr statement) const {
        const bool isPlain =
            ast::isAny<ast::ExpressionStatement, ast::Return>(statement) ||
            (ast::is<ast::Declaration>(statement) && !statement->text().starts_with("static") &&
             !statement->text().starts_with("thread_local"));
        return runsNests_ && isPlain && std::ranges::any_of(path_, ast::is<ast::Compound>) &&
               !ast::holdsDirective(statement->span().str());
    }

    void writeParts(NodePtr node) {
        path_.push_back(node);
        const bool isScope = opensScope(node);
        if (runsNests_ && ast::is<ast::FunctionDefinition>(node))
            jumps_ = ast::anywhere(node, ast::is<ast::Label>);
        if (isScope) {
            scopes_.open();
            scopes_.note(headOf(node));
        }
        if (ast::is<ast::Compound>(node))
            writeBlock(node);
        else
            ast::forEachPiece(node, *this);
        if (isScope) scopes_.close();
        path_.pop_back();
    }

    // What declares names for all of the node.
    static NodePtr headOf(NodePtr node) {
        if (ast::is<ast::Lambda>(node)) return node->child(ast::Lambda::parameters);
        if (ast::is<ast::FunctionDefinition>(node))
            return node->child(ast::FunctionDefinition::declarator);
        if (ast::is<ast::Template>(node)) return node->child(ast::Template::parameters);
        return ast::is<ast::Compound>(node) ? nullptr : node;
    }

    void writeBlock(NodePtr block) {
        source::Span rest = block->span();
        for (const NodePtr each : block->children()) {
            if (each->span().begin > rest.begin) gap({rest.text, rest.begin, each->span().begin});
            write(each);
            scopes_.note(each);
            rest.begin = each->span().end;
        }
        gap(rest);
    }

    void writeNamespace(NodePtr node) {
        const NodePtr name = node->child(ast::Namespace::name);
        const Symbol* const symbol = name ? name->symbol : nullptr;
        outside_.push_back(symbol && symbol->members ? symbol->members : outside_.back());
        writeParts(node);
        outside_.pop_back();
    }

    void writeClass(NodePtr node) {
        const NodePtr name = node->child(ast::Class::name);
        const Symbol* const symbol = name ? name->symbol : nullptr;
        members_.push_back(symbol ? symbol->members : nullptr);
        writeParts(node);
        members_.pop_back();
    }

    // Of the class in which the function stands, or that its name names.
    const ast::Scope* members() const {
        for (std::size_t k = path_.size(); k-- > 0;) {
            if (!ast::is<ast::FunctionDefinition>(path_[k])) continue;
            const NodePtr name =
                ast::declaredName(path_[k]->child(ast::FunctionDefinition::declarator));
            if (!ast::is<ast::QualifiedName>(name)) continue;
            const NodePtr owner = name->child(ast::QualifiedName::qualifier);
            if (owner && owner->symbol) return owner->symbol->members;
        }
        return members_.empty() ? nullptr : members_.back();
    }

    void writeNest(NodePtr node) {
        const bool wasInNest = std::exchange(isInNest_, true);
        const bool isOutermost = !wasInNest, jumped = jumps_;
        const bool isPlain = !isOutermost || !ast::holdsDirective(node->span().str());
        if (isOutermost) jumps_ = ast::anywhere(node, ast::is<ast::Label>);
        if (!isPlain)
            gap(node->span());
        else if (ast::is<ast::Overall>(node))
            writeStatement(node);
        else
            writeExpressions(node, true);
        isInNest_ = wasInNest;
        jumps_ = jumped;
    }

    void writeStatement(NodePtr statement) {
        if (removes(statement)) {
            ++count_;
            return out_.replace(statement->span(), ";");
        }
        const NodePtr parent = path_.empty() ? nullptr : path_.back();
        const bool isBlock = ast::is<ast::Compound>(parent) &&
                             !(path_.size() > 1 && ast::is<ast::Switch>(path_[path_.size() - 2]));
        const bool isDeclaration = ast::is<ast::Declaration>(statement);
        const bool mayStandAlone = isBlock && !jumps_;
        const bool mayDeclare =
            !ast::is<ast::For>(parent) || statement == parent->children().back();
        const auto first = evaluatedFirst(statement);
        std::vector<Found> calls;
        for (const NodePtr each : first)
            addCalls(each, declaresReference(statement) ? statement : nullptr, false, codeOf_,
                     calls);
        std::vector<NodePtr> taken;
        for (const Found& each : calls) {
            const bool mayMove = mayDeclare && !each.isLater && (mayStandAlone || !isDeclaration) &&
                                 !ast::is<ast::OverallExpression>(path_.back());
            if (expand(each, mayMove && mayComeFirst(each.call, first, calls, codeOf_)))
                taken.push_back(each.call);
        }
        const bool hasStatements = std::ranges::any_of(
            taken, [this](NodePtr each) { return expansions_.at(each).text->hasStatements(); });
        const bool needsBlock = hasStatements && (!mayStandAlone || !isDeclaration);
        if (needsBlock) out_.add("{ ");
        for (const NodePtr each : taken) expansions_.at(each).text->writeStatements(out_);
        const bool isOnlyCall = ast::is<ast::ExpressionStatement>(statement) && taken.size() == 1 &&
                                ast::withoutParentheses(statement->child(0)) == taken[0];
        if (isOnlyCall)
            writeCallAlone(taken[0]);
        else
            writeExpressions(statement, false);
        if (needsBlock) out_.add(" }");
    }

    // What it gives is not used.
    void writeCallAlone(NodePtr call) {
        if (expansions_.at(call).code.isVoid) return out_.add(";");
        out_.add("static_cast<void>(");
        writeValue(call);
        out_.add(");");
    }

    // Its calls that are not decided yet stand where no statement can be put in front of them.
    void writeExpressions(NodePtr node, bool isExpression) {
        std::vector<Found> calls;
        for (const NodePtr child : node->children())
            if (isExpression || !ast::isStatement(child))
                addCalls(child, node, true, codeOf_, calls);
        // The head of a nest is evaluated before it; ranges have names, if they are known.
        if (ast::is<ast::Overall>(node))
            std::erase_if(calls, [](const Found& each) { return !isRange(each.call); });
        scopes_.open();
        scopes_.note(headOf(node));
        for (const Found& each : calls)
            if (!expansions_.contains(each.call) && !left(each.call)) expand(each, false);
        scopes_.close();
        writeParts(node);
    }

    bool left(NodePtr call) const {
        return kept_.contains(call) ||
               std::ranges::find(left_, call, &CallLeft::call) != left_.end();
    }

    bool expand(const Found& found, bool mayDeclare) {
        auto code = codeOf_(found.call);
        std::string reason;
        if (const std::string* why = std::get_if<std::string>(&code)) reason = *why;
        if (reason.empty() && count_ >= mostCalls) reason = "there are too many";
        if (reason.empty() && unit_.whole->macros().mayBeMacro(found.call))
            reason = "it may be a macro";
        bool isOptional = false, isHidden = false;
        if (reason.empty()) {
            Expansion made{std::get<CalledCode>(std::move(code)), nullptr};
            isOptional = made.code.isOptional;
            const bool needsValue =
                ast::isAny<ast::Declaration, ast::Call, ast::Return>(found.parent);
            const auto [place, isNew] = expansions_.try_emplace(found.call, std::move(made));
            place->second.text = std::make_unique<CalledText>(place->second.code, names_, counts_);
            reason = place->second.text->bind(
                {&scopes_, members(), outside_.back(), mayDeclare, needsValue});
            if (reason.empty()) {
                ++count_;
                return true;
            }
            isHidden = (!isOptional || place->second.code.runsNests) &&
                       noteHidden(place->second.code, found.call, hidden_);
            expansions_.erase(place);
        }
        if (isOptional)
            kept_.insert(found.call);
        else if (!isHidden)
            left_.push_back({found.call, reason});
        return false;
    }

    // How the fields are reached that the declaration declares, of which code outside of the class
    // is to name one.
    std::string_view openedIn(NodePtr node) const {
        const NodePtr all = !opened_.empty() && ast::is<ast::Declaration>(node)
                                ? node->child(ast::Declaration::declarators)
                                : nullptr;
        for (const auto& [field, owner] : opened_)
            if (all && all->span().contains(field->declaration->span()))
                return accessOf(field, owner);
        return "";
    }

    void writeValue(NodePtr call) { expansions_.at(call).text->writeValue(out_); }

    // A lambda of a nest of which all calls have been written.
    bool removes(NodePtr statement) const {
        const NodePtr all = ast::is<ast::Declaration>(statement)
                                ? statement->child(ast::Declaration::declarators)
                                : nullptr;
        if (!all || all->children().size() != 1 || path_.empty()) return false;
        const NodePtr name = ast::declaredName(all->child(0)->child(0));
        if (!name || !name->symbol || !analysis::lambdaOf(name->symbol)) return false;
        return !ast::anywhere(path_.back(), [&](NodePtr each) {
            return ast::is<ast::Identifier>(each) && each != name && each->text() == name->text();
        });
    }

    const ast::Unit& unit_;
    const HiddenFields opened_;
    HiddenFields hidden_;
    const CodeOf codeOf_;
    std::vector<CallLeft>& left_;
    const ast::FreshNames names_;
    ast::FreshNames::Counts counts_;
    Rewritten out_;
    Scopes scopes_;
    std::vector<NodePtr> path_;
    std::vector<const ast::Scope*> outside_, members_;
    std::map<NodePtr, Expansion> expansions_;
    std::set<NodePtr> kept_;    // calls that stay as they are, which is no loss
    std::set<NodePtr> called_;  // what nests call: functions, variables that hold lambdas
    std::size_t count_ = 0;
    bool isInNest_ = false, jumps_ = false;
    bool runsNests_ = false;  // something outside of nests calls functions with some
};

}  // namespace

std::optional<std::string> callsWritten(const ast::Unit& unit, std::vector<CallLeft>& left) {
    const bool hasNests = ast::anywhere(unit.root, [](NodePtr each) {
        return (ast::isAny<ast::Overall, ast::OverallExpression>(each) && holdsCall(each)) ||
               (ast::is<ast::Call>(each) && tellsNests(each));
    });
    if (!hasNests) return std::nullopt;
    CallWriter writer(unit, left);
    writer.write(unit.root);
    if (writer.hidden().empty()) return writer.take();
    left.clear();
    CallWriter again(unit, left, writer.hidden());
    again.write(unit.root);
    return again.take();
}

}  // namespace hpcc::regions
