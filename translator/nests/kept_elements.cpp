// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kept_elements.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "analysis/dependence.hpp"
#include "analysis/numbers.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// An element in a variable.
struct Kept {
    const Access* access = nullptr;  // one that changes it
    std::string text;                // how all accesses to it are written
    std::string variable;
    const ast::Type* type = nullptr;
    NodePtr before = nullptr;  // the statement in front of which an iteration reads it, if any
};

using KeptIn = std::map<const Loop*, std::vector<Kept>>;  // by the loops that keep them

struct Found {
    KeptIn throughout;    // all iterations, of outermost possible loops
    KeptIn inIterations;  // each one for itself
};

/// `element = e;`, `element += e;` ..
bool changes(NodePtr statement, const std::string& element) {
    const NodePtr assign = soleAssignment(statement);
    return assign && ast::print(assign->child(ast::Assign::target)) == element;
}
bool sets(NodePtr statement, const std::string& element) {
    return changes(statement, element) &&
           soleAssignment(statement)->child(ast::Assign::op)->text() == "=";
}

class KeptSearch {
public:
    KeptSearch(Context& context, const Nest& nest) : context_(context), nest_(nest) {}

    /// None under a promise: it tells of the elements that the iterations write, but a variable is
    /// stored even where the loop has not changed it.
    Found found() {
        Found result;
        if (nest_.callsForeign || nest_.isPromised) return result;
        std::set<std::pair<const Loop*, std::string>> known;
        for (const Access& access : nest_.accesses) {
            const ast::Type* type = access.writes ? elementType(access) : nullptr;
            if (!type) continue;
            const std::string text = ast::print(access.node);
            const Loop* loop = loopOf(access);
            KeptIn& kept = loop ? result.throughout : result.inIterations;
            const NodePtr first = loop ? nullptr : firstOfSeveral(access, text);
            if (first) loop = access.loop;
            if (loop && known.emplace(loop, text).second)
                kept[loop].push_back({&access, text, variableFor(access), type,
                                      first && readsBefore(first, access) ? first : nullptr});
        }
        return result;
    }

private:
    /// Null if it is no number.
    const ast::Type* elementType(const Access& access) const {
        const ast::Type* type = ast::multiarrayType(nest_.arrays[access.array].base);
        const ast::Type* element = type ? type->element : nullptr;
        const bool isKnown =
            element && !element->isConst && !element->spelled.empty() && isNumber(element);
        return isKnown && element->kind != ast::TypeKind::Bool ? element : nullptr;
    }

    std::string variableFor(const Access& access) {
        const std::string& array = nest_.arrays[access.array].text;
        return context_.fresh(array.substr(array.find_last_of(".>") + 1) + "_value");
    }

    /// The outermost loop that reaches one and the same element by this access. No `overall` lies
    /// between, whose demands on the array the entry test asks by the place of the access.
    const Loop* loopOf(const Access& access) {
        const Loop* found = nullptr;
        for (const Loop* at = access.loop; at && at->kind != Loop::Kind::Overall; at = at->outer) {
            if ((at->touchesShared && at->touchesOther) || mayChangeIn(*at, access.node)) break;
            if (isThere(access, at->outer) && isAlone(access, *at)) found = at;
        }
        return found;
    }

    /// The statement of an iteration of the innermost loop round it that changes the element before
    /// all else that is done with it, if later ones change it again; else null.
    NodePtr firstOfSeveral(const Access& access, const std::string& text) {
        if (!access.loop || !tried_.emplace(access.loop, access.array).second) return nullptr;
        const Loop& loop = *access.loop;
        const NodePtr body = bodyOf(loop);
        if (loop.kind == Loop::Kind::Other || !loop.isInnermost ||
            (loop.touchesShared && loop.touchesOther) || !ast::is<ast::Compound>(body))
            return nullptr;
        const TouchesOfArrays& touches = touchesOf(loop);
        const auto found = touches.find(access.array);
        if (found == touches.end() || !found->second.writtenAgain) return nullptr;
        const NodePtr first = found->second.first;
        if (!changes(first, text) || ast::effectsOf(body).mayJump) return nullptr;
        return isOneInIteration(access, text) && isThere(access, &loop) ? first : nullptr;
    }

    /// True if the statement asks for what the element was: `b[i] = 2 * a[i] - b[i];`
    bool readsBefore(NodePtr first, const Access& access) const {
        if (!sets(first, ast::print(access.node))) return true;
        return anyAccess(soleAssignment(first)->child(ast::Assign::value),
                         [&](const Access& each) { return each.array == access.array; });
    }

    /// What the statements of an iteration do with an array.
    struct Touches {
        NodePtr first = nullptr;    // the first one that reads or writes it
        bool writtenAgain = false;  // by a later one
    };
    using TouchesOfArrays = std::unordered_map<size_t, Touches>;

    const TouchesOfArrays& touchesOf(const Loop& loop) {
        if (const auto known = touches_.find(&loop); known != touches_.end()) return known->second;
        TouchesOfArrays& result = touches_[&loop];
        for (const NodePtr statement : statementsIn(bodyOf(loop)))
            anyAccess(statement, [&](const Access& access) {
                Touches& touches = result[access.array];
                if (!touches.first) touches.first = statement;
                touches.writtenAgain |= touches.first != statement && access.writes;
                return false;
            });
        return result;
    }
    bool anyAccess(NodePtr node, const auto& isWanted) const {
        return ast::anywhere(node, [&](NodePtr each) {
            const auto found = nest_.accessOf.find(each);
            return found != nest_.accessOf.end() && isWanted(nest_.accesses[found->second]);
        });
    }

    /// True if all that an iteration does with the array is written in this way, and means one
    /// element.
    bool isOneInIteration(const Access& access, const std::string& text) const {
        const Loop& loop = *access.loop;
        return std::ranges::none_of(ast::namesIn(access.node),
                                    [&](std::string_view name) {
                                        return loop.assigned.contains(name) ||
                                               loop.declared.contains(name);
                                    }) &&
               std::ranges::all_of(nest_.accesses, [&](const Access& other) {
                   return other.array != access.array || other.loop != &loop ||
                          ast::print(other.node) == text;
               });
    }

    /// The entry test says so, whether loops inside of `around` run or not.
    bool isThere(const Access& access, const Loop* around) {
        const auto taken = context_.taken;
        Reaches reaches(context_, nest_);
        const bool result = std::ranges::all_of(access.slots, [&](const Slot& slot) {
            if (slot.index) return !slot.distance || reaches.isFixed(slot.distance);
            return reaches.of(slot.subscript, around) != nullptr;
        });
        context_.taken = taken;
        return result;
    }

    /// All that the loop does with the element is written in this way.
    bool isAlone(const Access& write, const Loop& loop) const {
        const std::string text = ast::print(write.node);
        return std::ranges::all_of(nest_.accesses, [&](const Access& other) {
            if (other.array != write.array || !isInside(other.loop, loop)) return true;
            if (ast::print(other.node) == text) return isFixedUpTo(loop, other);
            return loop.kind == Loop::Kind::Counting &&
                   nest_.dependences().meeting(write.node, other.node, headerOf(loop)).kind ==
                       analysis::Meeting::Kind::Never;
        });
    }
    bool isFixedUpTo(const Loop& loop, const Access& access) const {
        const Loop* at = access.loop;
        while (at != &loop && at->kind != Loop::Kind::Overall && !mayChangeIn(*at, access.node))
            at = at->outer;
        return at == &loop;
    }

    Context& context_;
    const Nest& nest_;
    std::set<std::pair<const Loop*, size_t>> tried_;  // arrays: what comes first in an iteration
    std::unordered_map<const Loop*, TouchesOfArrays> touches_;
};

/// Puts variables in the place of elements.
class Keeping : public ast::Rewriter {
public:
    Keeping(Context& context, const Nest& nest, const Found& kept)
        : Rewriter(context.arena), context_(context), nest_(nest), kept_(kept) {}

    NodePtr rewriteSubscript(NodePtr node) override {
        if (nest_.accessOf.contains(node) && !inside_.empty()) {
            const std::string text = ast::print(node);
            for (const Kept* each : inside_)
                if (each->text == text) return variable(*each, node);
        }
        return rewriteChildren(node);
    }

    NodePtr rewriteFor(NodePtr node) override { return loop(node); }
    NodePtr rewriteWhile(NodePtr node) override { return loop(node); }
    NodePtr rewriteDoWhile(NodePtr node) override { return loop(node); }

    NodePtr rewriteCompound(NodePtr block) override {
        for (const auto& [loop, kept] : kept_.inIterations)
            if (bodyOf(*loop) == block) return iteration(block, kept);
        std::vector<NodePtr> statements;
        for (const NodePtr old : block->children()) {
            if (const std::vector<Kept>* kept = keptBy(old)) {
                const std::vector<const Kept*> started = start(statements, *kept);
                for (const Kept& each : *kept)
                    if (std::ranges::find(started, &each) == started.end())
                        statements.push_back(declaration(each, element(each), old));
                statements.push_back(withVariables(old, *kept));
                for (const Kept& each : *kept) statements.push_back(store(each, old));
                continue;
            }
            statements.push_back(rewrite(old));
        }
        return std::ranges::equal(statements, block->children())
                   ? block
                   : context_.arena.rebuilt(block, block, statements);
    }

private:
    const std::vector<Kept>* keptBy(NodePtr statement) const {
        const auto loop = nest_.loopOf.find(statement);
        if (loop == nest_.loopOf.end()) return nullptr;
        const auto found = kept_.throughout.find(loop->second);
        return found == kept_.throughout.end() ? nullptr : &found->second;
    }

    NodePtr iteration(NodePtr block, const std::vector<Kept>& kept) {
        const size_t outside = inside_.size();
        std::vector<NodePtr> statements;
        for (const NodePtr old : statementsIn(block)) {
            for (const Kept& each : kept) {
                if (each.before != old) continue;
                statements.push_back(declaration(each, element(each), old));
                inside_.push_back(&each);
            }
            const auto first = std::ranges::find_if(kept, [&](const Kept& each) {
                return sets(old, each.text) && std::ranges::find(inside_, &each) == inside_.end();
            });
            if (first == kept.end()) {
                statements.push_back(rewrite(old));
                continue;
            }
            statements.push_back(
                declaration(*first, rewrite(soleAssignment(old)->child(ast::Assign::value)), old));
            inside_.push_back(&*first);
        }
        inside_.resize(outside);
        for (const Kept& each : kept) statements.push_back(store(each, block));
        return context_.arena.rebuilt(block, block, statements);
    }

    /// A loop that is no statement of a block.
    NodePtr loop(NodePtr node) {
        const std::vector<Kept>* kept = keptBy(node);
        if (!kept) return rewriteChildren(node);
        std::vector<NodePtr> statements;
        for (const Kept& each : *kept) statements.push_back(declaration(each, element(each), node));
        statements.push_back(withVariables(node, *kept));
        for (const Kept& each : *kept) statements.push_back(store(each, node));
        return context_.statement(
            "{\n"
            "    $statements;\n"
            "}",
            {{"$statements", statements}}, node);
    }

    NodePtr withVariables(NodePtr loop, const std::vector<Kept>& kept) {
        const size_t outside = inside_.size();
        for (const Kept& each : kept) inside_.push_back(&each);
        const NodePtr result = rewriteChildren(loop);
        inside_.resize(outside);
        return result;
    }

    /// Assignments to the elements that stand directly before the loop become declarations of
    /// their variables. Those of a loop before it go on. The result: elements that have one.
    std::vector<const Kept*> start(std::vector<NodePtr>& statements,
                                   const std::vector<Kept>& kept) {
        std::vector<const Kept*> started;
        for (size_t k = statements.size(); k-- > 0;) {
            const NodePtr assign = soleAssignment(statements[k]);
            if (!assign) break;
            const std::string target = ast::print(assign->child(ast::Assign::target));
            const auto found = std::ranges::find(kept, target, &Kept::text);
            if (found == kept.end() || std::ranges::find(started, &*found) != started.end()) break;
            if (const auto stored = stored_.find(statements[k]); stored != stored_.end()) {
                continued_[&*found] = stored->second;
                started.push_back(&*found);
                std::erase(statements, statements[k]);
                continue;
            }
            const NodePtr value = valueOf(assign, *found);
            if (!value) break;
            const bool reads = holdsAccess(value) || value != assign->child(ast::Assign::value);
            if (reads && !started.empty()) break;
            statements[k] = declaration(*found, value, statements[k]);
            started.push_back(&*found);
            if (reads) break;
        }
        return started;
    }

    /// What an assignment gives to an element; null if it may be another one in a declaration.
    NodePtr valueOf(NodePtr assign, const Kept& kept) {
        const NodePtr value = assign->child(ast::Assign::value);
        const std::string op(assign->child(ast::Assign::op)->text());
        if (op == "=") return value;
        if (kept.type->spelled != "double" || !isNumber(value->type)) return nullptr;
        return context_.expression("$e " + op.substr(0, op.size() - 1) + " ($v)",
                                   {{"$e", element(kept)}, {"$v", value}}, assign);
    }

    bool holdsAccess(NodePtr node) const {
        return ast::anywhere(node, [&](NodePtr each) { return nest_.accessOf.contains(each); });
    }

    NodePtr declaration(const Kept& kept, NodePtr value, NodePtr origin) {
        return context_.statement(kept.type->spelled + " $v = $e;",
                                  {{"$v", variable(kept, origin)}, {"$e", value}}, origin);
    }

    NodePtr store(const Kept& kept, NodePtr origin) {
        const ast::Bindings bindings{{"$e", element(kept)}, {"$v", variable(kept, origin)}};
        const NodePtr result = context_.statement("$e = $v;", bindings, origin);
        stored_[result] = &kept;
        return result;
    }

    /// By what stands for it round the loop.
    NodePtr element(const Kept& kept) { return ast::copy(context_.arena, kept.access->node); }

    NodePtr variable(const Kept& kept, NodePtr origin) {
        const Kept* first = &kept;
        while (continued_.contains(first)) first = continued_.at(first);
        return context_.variable(first->variable, kept.type, origin);
    }

    Context& context_;
    const Nest& nest_;
    const Found& kept_;
    std::vector<const Kept*> inside_;                         // of the loops round the place
    std::unordered_map<NodePtr, const Kept*> stored_;         // behind loops
    std::unordered_map<const Kept*, const Kept*> continued_;  // those of a loop before
};

/// The array of an access with each of the others in the loop.
NamePairs besides(const Nest& nest, const Access& access, const Loop& loop) {
    NamePairs result;
    for (const Access& other : nest.accesses)
        if (other.array != access.array && isInside(other.loop, loop))
            result.insert(
                std::minmax(nest.arrays[access.array].text, nest.arrays[other.array].text));
    return result;
}

}  // namespace

std::optional<KeptElements> keepElements(Context& context, const Nest& nest) {
    const Found kept = KeptSearch(context, nest).found();
    if (kept.throughout.empty() && kept.inIterations.empty()) return std::nullopt;
    KeptElements result;
    std::set<std::string> written;
    for (const KeptIn* some : {&kept.throughout, &kept.inIterations})
        for (const auto& [loop, elements] : *some)
            for (const Kept& each : elements) {
                written.insert(each.text);
                result.apart.merge(besides(nest, *each.access, *loop));
            }
    if (result.apart.size() > mostArrayPairs) return std::nullopt;
    result.elements.assign(written.begin(), written.end());
    result.overall = Keeping(context, nest, kept).rewrite(nest.loops.front().statement);
    return result;
}

}  // namespace hpcc::nests
