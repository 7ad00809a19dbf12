#include "nests/sums_of_products.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "nests/reaches.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The one statement in a block, or the statement itself.
NodePtr soleStatement(NodePtr body) {
    while (body->is<ast::Compound>() && body->children().size() == 1) body = body->child(0);
    return body;
}

NodePtr assignment(NodePtr statement) {
    if (!ast::is<ast::ExpressionStatement>(statement)) return nullptr;
    const NodePtr e = statement->child(ast::ExpressionStatement::expression);
    return ast::is<ast::Assign>(e) ? e : nullptr;
}

bool isNamed(NodePtr e, std::string_view name) {
    e = ast::withoutParentheses(e);
    return ast::is<ast::Identifier>(e) && e->text() == name;
}

bool mentions(NodePtr e, std::string_view name) { return ast::namesIn(e).contains(name); }

bool isInteger(NodePtr e) {
    return ast::asConstant(e) || (e->type && e->type->kind == ast::TypeKind::Integer);
}

NodePtr typeOfCounter(const Loop& loop) {
    return loop.statement->child(ast::For::initializer)->child(ast::Declaration::specifiers);
}

/// Recognises the sums.
class Recognition {
public:
    Recognition(const Nest& nest, const Loop& outer, const Reaches& reaches)
        : nest_(nest), outer_(outer), reaches_(reaches) {}

    bool isMatch() {
        if (nest_.callsForeign || !loops() || !statements()) return false;
        if (!target())
            return fail(sums.statement, "does not store one element for each pair of indices");
        if (!row())
            return fail(sums.term, "does not go along one row that is the same for each '" +
                                       std::string(sums.rows->variable) + "'");
        return isAlone() ||
               fail(sums.statement, "changes more than this element, or reads others of its array");
    }

    SumsOfProducts sums;
    ArrayPairs apart;
    Obstacle obstacle;

private:
    bool fail(NodePtr place, std::string reason) {
        obstacle = {place, std::move(reason)};
        return false;
    }

    const Loop* loopAt(NodePtr statement) const {
        const auto found = nest_.loopOf.find(statement);
        return found == nest_.loopOf.end() ? nullptr : found->second;
    }

    static bool isPlain(const Loop* loop) {
        return loop && loop->kind == Loop::Kind::Overall && loop->step == 1 && !loop->usesGlobal &&
               !loop->touchesForeign && !loop->jumps;
    }

    bool loops() {
        if (!isPlain(&outer_)) return false;
        inner_ = loopAt(soleStatement(outer_.statement->child(ast::Overall::body)));
        return isPlain(inner_);
    }

    /// { double sum = start; for (k ..) sum += term; c[i, j] = .. sum ..; }
    bool statements() {
        const NodePtr body = inner_->statement->child(ast::Overall::body);
        if (!body->is<ast::Compound>() || body->children().size() != 3) return false;
        sums.statement = body->child(2);
        return declaration(body->child(0)) && loop(body->child(1)) &&
               mentions(sums.statement, sums.sum);
    }

    bool declaration(NodePtr statement) {
        if (!ast::is<ast::Declaration>(statement)) return false;
        const NodePtr declarators = statement->child(ast::Declaration::declarators);
        if (statement->child(ast::Declaration::specifiers)->text() != "double" ||
            declarators->children().size() != 1)
            return false;
        const NodePtr declared = declarators->child(0);
        const NodePtr initializer = declared->child(ast::InitDeclarator::initializer);
        if (!ast::is<ast::EqualInitializer>(initializer)) return false;
        sums.sum = declared->child(ast::InitDeclarator::declarator)->text();
        sums.start = initializer->child(ast::EqualInitializer::value);
        return reaches_.isFixed(sums.start);
    }

    bool loop(NodePtr statement) {
        sums.steps = loopAt(statement);
        if (!sums.steps || sums.steps->kind != Loop::Kind::Counting || sums.steps->step != 1 ||
            !reaches_.isFixed(sums.steps->first) || !reaches_.isFixed(sums.steps->end) ||
            (sums.steps->reachesEnd && !isInteger(sums.steps->end)))
            return false;
        if (typeOfCounter(*sums.steps)->text() == "auto") return false;
        const NodePtr assign = assignment(soleStatement(statement->child(ast::For::body)));
        if (!assign || !isNamed(assign->child(ast::Assign::target), sums.sum)) return false;
        sums.term = added(assign);
        return sums.term && !mentions(sums.term, sums.sum);
    }

    /// t of `sum += t` and `sum = sum + t`.
    NodePtr added(NodePtr assign) const {
        const std::string_view op = assign->child(ast::Assign::op)->text();
        const NodePtr value = assign->child(ast::Assign::value);
        if (op == "+=") return value;
        const bool isSum = op == "=" && ast::is<ast::Binary>(value) &&
                           value->child(ast::Binary::op)->text() == "+" &&
                           isNamed(value->child(ast::Binary::left), sums.sum);
        return isSum ? value->child(ast::Binary::right) : nullptr;
    }

    const Access* accessAt(NodePtr node) const {
        const auto found = nest_.accessOf.find(ast::withoutParentheses(node));
        return found == nest_.accessOf.end() ? nullptr : &nest_.accesses[found->second];
    }

    static bool isIndex(const Slot& slot, const Loop& loop) {
        return slot.loop == &loop && slot.shift == 0 && !slot.distance;
    }

    /// Of c[i, j], which no other pair of indices reaches, the last subscript tells which loop is
    /// j.
    bool target() {
        const NodePtr assign = assignment(sums.statement);
        target_ = assign ? accessAt(assign->child(ast::Assign::target)) : nullptr;
        if (!target_ || target_->slots.empty()) return false;
        const bool isInner = isIndex(target_->slots.back(), *inner_);
        sums.columns = isInner ? inner_ : &outer_;
        sums.rows = isInner ? &outer_ : inner_;
        return isIndex(target_->slots.back(), *sums.columns) &&
               std::ranges::any_of(target_->slots,
                                   [&](const Slot& slot) { return isIndex(slot, *sums.rows); });
    }

    /// The only access of the term that mentions j: along a row, and the same for all i.
    bool row() {
        for (const Access& access : nest_.accesses) {
            if (!isInTerm(access) || !mentions(access.node, sums.columns->variable)) continue;
            if (sums.row) return false;
            sums.row = &access;
        }
        if (!sums.row || !isOfDoubles(*sums.row)) return false;
        const Slot& last = sums.row->slots.back();
        if (last.loop != sums.columns || last.distance) return false;
        return std::ranges::all_of(
                   sums.row->slots,
                   [&](const Slot& slot) {
                       return !mentions(slot.subscript, sums.rows->variable) &&
                              (&slot == &last || !mentions(slot.subscript, sums.columns->variable));
                   }) &&
               mentions(sums.row->node, sums.steps->variable);
    }

    bool isInTerm(const Access& access) const { return access.loop == sums.steps; }

    /// Nothing but c[i, j] is changed, and nothing else of c is read.
    bool isAlone() {
        for (const Loop* loop : {&outer_, inner_})
            for (const std::string_view name : loop->assigned)
                if (name != sums.sum) return false;
        for (const Access& access : nest_.accesses) {
            if (!isInside(access)) continue;
            if (access.array != target_->array)
                apart.insert(std::minmax(access.array, target_->array));
            else if (ast::print(access.node) != ast::print(target_->node))
                return false;
            if (access.writes && access.array != target_->array) return false;
        }
        return true;
    }

    bool isInside(const Access& access) const {
        for (const Loop* at = access.loop; at; at = at->outer)
            if (at == &outer_) return true;
        return false;
    }

    const Nest& nest_;
    const Loop& outer_;
    const Reaches& reaches_;
    const Loop* inner_ = nullptr;
    const Access* target_ = nullptr;
};

}  // namespace

std::optional<SumsOfProducts> asSumsOfProducts(const Nest& nest, const Loop& outer,
                                               const Reaches& reaches, ArrayPairs& apart,
                                               Obstacle& obstacle) {
    Recognition recognition(nest, outer, reaches);
    if (!recognition.isMatch()) {
        if (recognition.obstacle.place) obstacle = recognition.obstacle;
        return std::nullopt;
    }
    apart.merge(recognition.apart);
    return recognition.sums;
}

NodePtr writeSumsOfProducts(Context& context, const Nest& nest, const SumsOfProducts& sums,
                            Elements& elements, const std::string& rowsRun,
                            const std::string& columnsRun) {
    const NodePtr origin = sums.rows->statement->child(ast::Overall::headers);
    const std::string row = context.fresh(
        nest.arrays[sums.row->array].text.substr(nest.arrays[sums.row->array].text.rfind('.') + 1) +
        "_row");
    WideValues values(context, elements, sums.columns->variable, [&](NodePtr e) -> NodePtr {
        const auto found = nest.accessOf.find(e);
        const bool isRow =
            found != nest.accessOf.end() && &nest.accesses[found->second] == sums.row;
        return isRow ? context.identifier(row, e) : nullptr;
    });
    const NodePtr term = values.of(sums.term);
    if (!term) return nullptr;
    const std::string stepType(typeOfCounter(*sums.steps)->text());
    const auto parameter = [&](const Loop& loop, NodePtr user) {
        return mentions(user, loop.variable) ? " " + std::string(loop.variable) : "";
    };
    const std::string schema =
        "hpspmd::detail::sumsOfProducts($rows.first, $rows2.last, $columns.first, $columns2.last, "
        "$first, $last, double($start), [&](" +
        stepType +
        " $k) {\n"
        "    return $row;\n"
        "}, [&](hpspmd::Index" +
        parameter(*sums.rows, sums.term) + ", " + stepType + parameter(*sums.steps, term) +
        ", const auto &" + row +
        ") {\n"
        "    return $term;\n"
        "}, [&](hpspmd::Index $i, hpspmd::Index $j, double $sum) {\n"
        "    $statement;\n"
        "});";
    const auto name = [&](std::string_view text) {
        return context.identifier(std::string(text), origin);
    };
    const auto made = [&](NodePtr e) { return context.made(elements.fast(e), origin); };
    const NodePtr end = made(sums.steps->end);
    const char* last = isInteger(sums.steps->end) ? "hpspmd::Index($end) - 1"
                                                  : "hpspmd::detail::ceiling($end) - 1";
    return context.statement(
        schema,
        {{"$rows", name(rowsRun)},
         {"$rows2", name(rowsRun)},
         {"$columns", name(columnsRun)},
         {"$columns2", name(columnsRun)},
         {"$first", made(sums.steps->first)},
         {"$last",
          sums.steps->reachesEnd ? end : context.expression(last, {{"$end", end}}, origin)},
         {"$start", made(sums.start)},
         {"$k", name(sums.steps->variable)},
         {"$row", context.made(elements.row(*sums.row), origin)},
         {"$term", term},
         {"$i", name(sums.rows->variable)},
         {"$j", name(sums.columns->variable)},
         {"$sum", name(sums.sum)},
         {"$statement", elements.fast(sums.statement)}},
        origin);
}

}  // namespace hpcc::nests
