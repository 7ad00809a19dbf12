// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/writes.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analysis/declared_writes.hpp"
#include "analysis/element_writes.hpp"
#include "analysis/loop.hpp"
#include "analysis/statement_forms.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"
#include "lower/assert_independence.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// A value of a type that a template parameter decides, or of a parameter `auto`.
bool isDependent(NodePtr e) {
    if (e->type && e->type->isDependent) return true;
    const NodePtr declared = e->symbol ? e->symbol->declaration : nullptr;
    if (!ast::is<ast::Parameter>(declared)) return false;
    const NodePtr specifiers = declared->child(ast::Parameter::specifiers);
    if (!ast::is<ast::Specifiers>(specifiers)) return false;
    const NodePtr core = specifiers->child(ast::Specifiers::core);
    return ast::is<ast::AutoType>(core) || ast::is<ast::ConstrainedAuto>(core);
}

/// Of an array, a range .. or a container: what it does is known.
bool isKnownObject(const ast::Type* type) {
    if (!type || type->kind == ast::TypeKind::Unknown) return false;
    if (type->kind != ast::TypeKind::Class) return true;
    return type->classSymbol &&
           (type->classSymbol->declaration || type->classSymbol->shape != ast::StandardShape::None);
}

/// True if a name leads through a pointer, which may be null where the name is not evaluated.
bool mayBeNull(NodePtr name) {
    return ast::anywhere(name, [](NodePtr each) {
        return each->is<ast::PointerMember>() &&
               !ast::is<ast::KeywordLiteral>(each->child(ast::PointerMember::base));
    });
}

/// A loop that goes over all numbers from its first to its last one.
std::optional<CountingLoop> completeLoop(NodePtr node) {
    const auto loop = runsToEnd(node) ? asCountingLoop(node) : std::nullopt;
    const bool isKnown = loop && loop->isComplete && !loop->endsByMeeting;
    return isKnown && loop->last.values().size() == 1 ? loop : std::nullopt;
}

/// The variable of a loop whose first and last value are told with what is written.
std::string toldVariable(NodePtr loop) {
    if (loop->is<ast::OverallHeader>())
        return std::string(loop->child(ast::OverallHeader::index)->text());
    const auto counting = loop->is<ast::For>() ? completeLoop(loop) : std::nullopt;
    return counting && counting->last.harmless ? counting->name : std::string();
}

/// True if the part that the access writes tells whether the loop runs.
bool hasVariableIn(NodePtr access, NodePtr loop) {
    const std::string name = toldVariable(loop);
    const auto subscripts = access->child(ast::Subscript::subscripts)->children();
    return std::ranges::any_of(subscripts, [&](NodePtr each) {
        return ast::is<ast::Identifier>(each) && each->text() == name;
    });
}

class WriteCollector : public ast::Visitor {
public:
    WriteCollector(NodePtr nest, const ast::MacroNames& macros, const ast::Effects& effects)
        : nest_(nest), macros_(macros), effects_(effects), writes_(nest) {}

    Writes result;

    void visitAssign(NodePtr node) override {
        write(node);
        const NodePtr target = node->child(ast::Assign::target), access = elementAccess(target);
        if (access && !analysis::isElementAccess(access))  // in a template, or asserted
            write(access, partOf(target, access, surroundings()), true);
        visitChildren(node);
    }
    void visitPostfix(NodePtr node) override { writes(node); }
    void visitUnary(NodePtr node) override { writes(node); }
    void visitSubscript(NodePtr node) override { writes(node); }
    void visitFunctionalCast(NodePtr node) override { writes(node); }
    void visitInitDeclarator(NodePtr node) override { writes(node); }
    void visitCall(NodePtr node) override {
        if (macros_.mayBeMacro(node)) return perhaps(node->child(ast::Call::arguments));
        writes(node);
    }

    void visitCompound(NodePtr node) override {
        const int before = conditional_;
        for (const NodePtr statement : node->children()) {
            visit(statement);
            if (analysis::mayLeave(statement)) ++conditional_;
        }
        conditional_ = before;
    }
    void visitIf(NodePtr node) override {
        visit(node->child(ast::If::initializer));
        visit(node->child(ast::If::condition));
        perhaps(node->child(ast::If::then));
        perhaps(node->child(ast::If::otherwise));
    }
    void visitOverall(NodePtr node) override {
        visit(node->child(ast::Overall::headers));
        const auto headers = node->child(ast::Overall::headers)->children();
        const bool isOuter = constructs_.empty() || node == nextOuter_;
        nextOuter_ = isOuter ? node->child(ast::Overall::body) : nullptr;
        const std::size_t repeated = repeated_.size();
        if (!isOuter)
            std::ranges::copy_if(headers, std::back_inserter(repeated_), analysis::mayRunNever);
        constructs_.insert(constructs_.end(), headers.begin(), headers.end());
        const bool mayBeEmpty = !std::ranges::all_of(headers, [this](NodePtr header) {
            return isFixedTriplet(header->child(ast::OverallHeader::triplet));
        });
        conditional_ += mayBeEmpty ? 1 : 0;
        visit(node->child(ast::Overall::body));
        conditional_ -= mayBeEmpty ? 1 : 0;
        constructs_.resize(constructs_.size() - headers.size());
        repeated_.resize(repeated);
    }
    void visitAt(NodePtr node) override {
        constructs_.push_back(node);
        visitChildren(node);
        constructs_.pop_back();
    }
    void visitFor(NodePtr node) override {
        const auto loop = completeLoop(node);
        const bool mayBeEmpty =
            ast::anywhere(node->child(ast::For::initializer), ast::is<ast::GlobalIndex>) ||
            ast::anywhere(node->child(ast::For::condition), ast::is<ast::GlobalIndex>) ||
            (loop && effects_.touches(loop->last.names));
        if (loop) loops_.push_back(*loop);
        conditional_ += mayBeEmpty ? 1 : 0;
        visitRepeated(node);
        conditional_ -= mayBeEmpty ? 1 : 0;
        if (loop) loops_.pop_back();
    }
    void visitRangeFor(NodePtr node) override { visitRepeated(node); }
    void visitWhile(NodePtr node) override {
        visit(node->child(ast::While::condition));
        perhaps(node->child(ast::While::body));
    }
    void visitSwitch(NodePtr node) override {
        visit(node->child(ast::Switch::condition));
        perhaps(node->child(ast::Switch::body));
    }
    void visitTry(NodePtr node) override {
        visit(node->child(ast::Try::body));
        perhaps(node->child(ast::Try::handlers));
    }
    void visitConditional(NodePtr node) override {
        visit(node->child(ast::Conditional::condition));
        perhaps(node->child(ast::Conditional::then));
        perhaps(node->child(ast::Conditional::otherwise));
    }
    void visitBinary(NodePtr node) override {
        write(node);
        visit(node->child(ast::Binary::left));
        if (ast::isShortCircuit(node))
            perhaps(node->child(ast::Binary::right));
        else
            visit(node->child(ast::Binary::right));
    }
    void visitMacroStatement(NodePtr node) override {
        perhaps(node->child(ast::MacroStatement::body));
    }
    void visitOverallExpression(NodePtr node) override {
        perhaps(node->child(ast::OverallExpression::expression));
    }
    void visitLambda(NodePtr node) override { perhaps(node->child(ast::Lambda::body)); }
    void visitClass(NodePtr) override {}
    void visitFunctionDefinition(NodePtr) override {}
    void visitSizeof(NodePtr) override {}
    void visitNoexcept(NodePtr) override {}
    void visitDecltypeType(NodePtr) override {}

private:
    void visitRepeated(NodePtr loop) {
        const bool mayRunNever = analysis::mayRunNever(loop);
        if (mayRunNever) repeated_.push_back(loop);
        visitChildren(loop);
        if (mayRunNever) repeated_.pop_back();
    }

    /// What may run or not.
    void perhaps(NodePtr node) {
        ++conditional_;
        visit(node);
        --conditional_;
    }

    bool isFixedTriplet(NodePtr triplet) const {
        return std::ranges::all_of(triplet->children(), [this](NodePtr part) {
            return !part || isFixed(part, macros_, effects_);
        });
    }

    void writes(NodePtr node) {
        write(node);
        visitChildren(node);
    }
    void write(NodePtr node) {
        for (const analysis::ElementWrite& each : writes_.at(node))
            write(each.access, partOf(each.steps, surroundings()),
                  each.writing == analysis::Writing::Surely && isInSight(each));
    }

    /// False of a[i] in a lambda of which i is a parameter.
    bool isInSight(const analysis::ElementWrite& write) const {
        const NodePtr subscripts = write.access->child(ast::Subscript::subscripts);
        return !ast::is<ast::Call>(write.site) || nest_->span().contains(write.access->span()) ||
               !ast::anywhere(subscripts, [](NodePtr each) {
                   return each->symbol && each->symbol->kind == ast::SymbolKind::Parameter;
               });
    }

    void write(NodePtr access, const ElementPart& part, bool isSure) {
        const NodePtr base = access->child(ast::Subscript::base);
        const ast::Type* type = ast::multiarrayType(base);
        if (!type || !ast::isSimple(base)) {
            result.others = true;
            return;
        }
        if (std::ranges::find(type->slots, ast::SlotKind::Distributed) == type->slots.end()) return;
        if (conditional_ > 0 && mayBeNull(base)) return;
        const auto [place, isNew] = places_.try_emplace(ast::print(base), result.arrays.size());
        if (isNew) result.arrays.push_back({base, {}, false});
        Writes::Written& written = result.arrays[place->second];
        const bool mayBeLeftOut = std::ranges::any_of(
            repeated_, [&](NodePtr loop) { return !hasVariableIn(access, loop); });
        if (!isSure || conditional_ > 0 || mayBeLeftOut || !part.isExact)
            written.isPerhaps = true;
        else
            written.elements.push_back({access, part, constructsOf(access), loops_});
    }

    std::vector<NodePtr> constructsOf(NodePtr access) const {
        std::vector<NodePtr> result;
        for (const NodePtr each : access->child(ast::Subscript::subscripts)->children()) {
            const auto found = std::find_if(
                constructs_.rbegin(), constructs_.rend(),
                [&](NodePtr construct) { return construct->child(0)->text() == each->text(); });
            result.push_back(found == constructs_.rend() ? nullptr : *found);
        }
        return result;
    }

    PartSurroundings surroundings() const {
        return {[this](NodePtr subscript) { return isFixed(subscript, macros_, effects_); },
                [this](NodePtr subscript) { return loopOf(loops_, subscript); }};
    }

    const NodePtr nest_;
    const ast::MacroNames& macros_;
    const ast::Effects& effects_;
    const analysis::ElementWrites writes_;
    int conditional_ = 0;
    std::vector<NodePtr> constructs_;  // round the place, headers and `at`s
    std::vector<CountingLoop> loops_;
    NodePtr nextOuter_ = nullptr;    // what is a nest with the constructs so far, if an overall
    std::vector<NodePtr> repeated_;  // loops round it that may run never
    std::unordered_map<std::string, size_t> places_;  // of the arrays found, by their texts
};

}  // namespace

NodePtr elementAccess(NodePtr target) {
    target = ast::withoutParentheses(target);
    while (target) {
        if (const NodePtr element = assertedElement(target)) {
            target = ast::withoutParentheses(element);
            continue;
        }
        if (target->is<ast::Member>()) {
            target = ast::withoutParentheses(target->child(ast::Member::base));
            continue;
        }
        if (!target->is<ast::Subscript>()) return nullptr;
        const NodePtr base = target->child(ast::Subscript::base);
        const auto subscripts = target->child(ast::Subscript::subscripts)->children();
        if (ast::multiarrayType(base)) return target;
        if (ast::hasUnknownType(base) &&
            (subscripts.size() != 1 || ast::isIndexValue(subscripts[0]) || mayBeIndexed(target)))
            return target;
        target = ast::withoutParentheses(base);
    }
    return nullptr;
}

bool mayBeIndexed(NodePtr access) {
    const NodePtr base = access->child(ast::Subscript::base);
    const auto subscripts = access->child(ast::Subscript::subscripts)->children();
    return subscripts.size() == 1 && ast::isSimple(base) && isDependent(base) &&
           isDependent(subscripts[0]);
}

bool mayFillGhosts(NodePtr node) {
    return ast::anywhere(node, [](NodePtr each) {
        if (!each->is<ast::Call>()) return false;
        const NodePtr callee = each->child(ast::Call::callee);
        const std::string_view name = callee->text();
        const bool fills =
            name.ends_with("writeHalo") || name.ends_with("execute") || name.ends_with("start");
        const auto arguments = each->child(ast::Call::arguments)->children();
        return fills ||
               (!ast::isLibraryName(callee) && std::ranges::any_of(arguments, ast::multiarrayType));
    });
}

namespace {

/// True of a function of a plain C++ header, which is read, but tells nothing when it runs.
bool isOfPlainHeader(const ast::Unit& unit, const ast::Symbol& function) {
    if (!function.declaration) return false;
    const source::Text* text = function.declaration->origin()->span().text;
    return text && text != unit.text && !text->path().ends_with(".hph") &&
           !text->path().ends_with(".hpcpp");
}

}  // namespace

bool mayFillUnseen(const ast::Unit& unit, NodePtr call) {
    const NodePtr callee = ast::withoutParentheses(call->child(ast::Call::callee));
    const NodePtr name = analysis::lastName(callee);
    if (!name->is<ast::Identifier>() || ast::isLibraryName(callee) ||
        callee->text().starts_with("std::"))
        return false;
    const auto declares = [&](const ast::Whole& whole) {
        return whole.refreshing().contains(name->text());
    };
    if (declares(*unit.whole)) return true;
    if (std::ranges::any_of(unit.imports, [&](const ast::Unit* import) {
            return import->whole && declares(*import->whole);
        }))
        return true;
    if (const ast::Symbol* known = callee->symbol ? callee->symbol : name->symbol)
        return isOfPlainHeader(unit, *known);
    const bool isMember = callee->is<ast::Member>() || callee->is<ast::PointerMember>();
    return !isMember || !isKnownObject(callee->child(0)->type);
}

bool isFixed(NodePtr expression, const ast::MacroNames& macros, const ast::Effects& effects) {
    return ast::isPure(expression) && !effects.touches(macros.namesIn(expression));
}

const CountingLoop* loopOf(const std::vector<CountingLoop>& loops, NodePtr subscript) {
    const auto found = std::find_if(loops.rbegin(), loops.rend(), [&](const CountingLoop& loop) {
        return subscript->is<ast::Identifier>() && loop.name == subscript->text();
    });
    return found == loops.rend() ? nullptr : &*found;
}

Writes writesOf(NodePtr nest, const ast::MacroNames& macros, const ast::Effects& effects) {
    WriteCollector collector(nest, macros, effects);
    collector.visit(nest);
    return std::move(collector.result);
}

}  // namespace hpcc::lower
