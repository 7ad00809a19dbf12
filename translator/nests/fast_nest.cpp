#include "nests/fast_nest.hpp"

#include <algorithm>

#include "ast/copy.hpp"
#include "ast/purity.hpp"
#include "nests/entry_test.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class FastNest {
public:
    FastNest(Context& context, const Nest& nest)
        : context_(context), nest_(nest), reaches_(context, nest), test_(context, nest, reaches_) {}

    NodePtr write() {
        const NodePtr whole = nest_.loops.front().statement;
        prepareRuns();
        test_.requireReady();
        for (const Loop& loop : nest_.loops)
            if (isIndependent(nest_, loop, apart_)) independent_.insert(&loop);
        test_.requireApart(apart_);
        nameArrays();
        std::vector<NodePtr> constants = pointers();
        append(constants, endsOfLoops());
        const NodePtr loops = fast(whole);
        std::vector<NodePtr> entry = reaches_.takeDeclarations();
        entry.insert(entry.end(), runs_.begin(), runs_.end());
        return context_.statement(
            "{\n"
            "    $entry;\n"
            "    if ($test) {\n"
            "        $constants;\n"
            "        $loops;\n"
            "    } else $nest;\n"
            "}",
            {{"$entry", entry},
             {"$test", test_.condition()},
             {"$constants", constants},
             {"$loops", loops},
             {"$nest", whole}},
            whole);
    }

private:
    struct ArrayNames {
        std::string data;
        std::vector<std::string> strides;  // "" if not needed
    };
    struct LoopNames {
        std::string run, global;
        bool atEntry = false;  // the run is the same in every iteration round the loop
    };

    NodePtr name(const std::string& text, NodePtr origin) {
        return context_.identifier(text, origin);
    }

    static NodePtr tripletOf(const Loop& loop) {
        return loop.statement->child(ast::Overall::headers)
            ->child(0)
            ->child(ast::OverallHeader::triplet);
    }

    /// What each range holds: of the triplet if that is fixed, else of the whole range, from which
    /// every iteration round the loop then takes its part.
    void prepareRuns() {
        for (const Loop& loop : nest_.loops) {
            if (loop.kind != Loop::Kind::Overall) continue;
            const std::string variable(loop.variable);
            LoopNames& names = loopNames_[&loop];
            const auto parts = tripletOf(loop)->children();
            names.atEntry =
                std::ranges::all_of(parts, [&](NodePtr part) { return reaches_.isFixed(part); });
            names.global = context_.fresh(variable + "_global");
            const std::string atEntry =
                context_.fresh(variable + (names.atEntry ? "_run" : "_held"));
            names.run = names.atEntry ? atEntry : context_.fresh(variable + "_run");
            std::vector<NodePtr> arguments{context_.made(loop.range, loop.range)};
            if (names.atEntry) append(arguments, tripletArguments(loop, false));
            runs_.push_back(context_.statement(
                "const hpspmd::detail::Run $run($arguments);",
                {{"$run", name(atEntry, loop.range)}, {"$arguments", arguments}}, loop.range));
            heldNames_[&loop] = atEntry;
            test_.require(name(atEntry, loop.range));
        }
    }

    static void append(std::vector<NodePtr>& to, const std::vector<NodePtr>& more) {
        to.insert(to.end(), more.begin(), more.end());
    }

    /// Those left out at the end are left out.
    std::vector<NodePtr> tripletArguments(const Loop& loop, bool isInside) {
        const NodePtr triplet = tripletOf(loop);
        std::vector<NodePtr> parts(triplet->children().begin(), triplet->children().end());
        while (!parts.empty() && !parts.back()) parts.pop_back();
        for (NodePtr& part : parts) {
            if (!part)
                part = context_.expression("hpspmd::detail::none", {}, triplet);
            else
                part = isInside ? fast(part) : ast::copy(context_.arena, part);
        }
        return parts;
    }

    void nameArrays() {
        for (const NestArray& array : nest_.arrays) {
            std::string base = array.text.starts_with("this->") ? array.text.substr(6) : array.text;
            std::ranges::replace_if(
                base, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
            arrayNames_.push_back({context_.fresh(base + "_data"), {}});
            baseNames_.push_back(base);
        }
        for (const Access& access : nest_.accesses) {
            ArrayNames& names = arrayNames_[access.array];
            for (size_t r = names.strides.size(); r + 1 < access.slots.size(); ++r)
                names.strides.push_back(
                    context_.fresh(baseNames_[access.array] + "_s" + std::to_string(r)));
        }
    }

    std::vector<NodePtr> pointers() {
        std::vector<NodePtr> result;
        for (size_t k = 0; k < nest_.arrays.size(); ++k) {
            const NodePtr base = nest_.arrays[k].base;
            result.push_back(context_.statement(
                "auto *const $p = $a.data();",
                {{"$p", name(arrayNames_[k].data, base)}, {"$a", context_.made(base, base)}},
                base));
            for (size_t r = 0; r < arrayNames_[k].strides.size(); ++r)
                result.push_back(
                    context_.statement("const hpspmd::Index $s = $a.stride($r);",
                                       {{"$s", name(arrayNames_[k].strides[r], base)},
                                        {"$a", context_.made(base, base)},
                                        {"$r", context_.number(static_cast<long>(r), base)}},
                                       base));
        }
        return result;
    }

    /// A copy of the code with loops and accesses in their fast form.
    NodePtr fast(NodePtr node) {
        if (!node) return nullptr;
        if (const auto loop = nest_.loopOf.find(node); loop != nest_.loopOf.end())
            return fastLoop(*loop->second);
        if (const auto access = nest_.accessOf.find(node); access != nest_.accessOf.end())
            return element(nest_.accesses[access->second]);
        if (node->is<ast::GlobalIndex>())
            if (const NodePtr global = globalIndex(node)) return global;
        return copied(node);
    }

    NodePtr copied(NodePtr node) {
        std::vector<NodePtr> children;
        for (const NodePtr child : node->children()) children.push_back(fast(child));
        const NodePtr result = context_.arena.rebuilt(node, node, children);
        result->type = node->type;
        result->symbol = node->symbol;
        return result;
    }

    NodePtr globalIndex(NodePtr node) {
        const NodePtr index = ast::withoutParentheses(node->child(ast::GlobalIndex::operand));
        for (const Loop* loop : enclosing_)
            if (loop->kind == Loop::Kind::Overall && loop->variable == index->text())
                return name(loopNames_[loop].global, node);
        return nullptr;
    }

    NodePtr fastLoop(const Loop& loop) {
        if (loop.kind == Loop::Kind::Overall) return overall(loop);
        enclosing_.push_back(&loop);
        NodePtr copy = copied(loop.statement);
        enclosing_.pop_back();
        if (const auto end = ends_.find(&loop); end != ends_.end())
            copy = withEnd(copy, end->second);
        return marked(loop, copy);
    }

    NodePtr withEnd(NodePtr loop, const std::string& end) {
        const NodePtr condition = loop->child(ast::For::condition);
        const NodePtr changed = ast::withChild(context_.arena, condition, ast::Binary::right,
                                               name(end, condition->origin()));
        return ast::withChild(context_.arena, loop, ast::For::condition, changed);
    }

    /// The ends of counting loops that are inquiries, as constants: the C++ compiler does not know
    /// that they always give the same.
    std::vector<NodePtr> endsOfLoops() {
        std::vector<NodePtr> constants;
        for (const Loop& loop : nest_.loops) {
            if (loop.kind != Loop::Kind::Counting || !holdsCall(loop.end) ||
                !reaches_.isFixed(loop.end) || !asksNestOnly(loop.end))
                continue;
            const std::string end = context_.fresh(std::string(loop.variable) + "_end");
            ends_[&loop] = end;
            constants.push_back(context_.statement(
                "const auto $end = $e;",
                {{"$end", name(end, loop.end)}, {"$e", context_.made(loop.end, loop.end)}},
                loop.end));
        }
        return constants;
    }

    static bool holdsCall(NodePtr e) {
        if (e->is<ast::Call>()) return true;
        return std::ranges::any_of(e->children(), [](NodePtr c) { return c && holdsCall(c); });
    }

    /// Are all questions put to arrays and ranges of the nest? The test has seen that these exist.
    bool asksNestOnly(NodePtr e) const {
        if (e->is<ast::Call>()) {
            const std::string base = ast::print(e->child(ast::Call::callee)->child(0));
            return std::ranges::any_of(nest_.arrays,
                                       [&](const NestArray& a) { return a.text == base; }) ||
                   std::ranges::any_of(nest_.loops, [&](const Loop& loop) {
                       return loop.range && ast::print(loop.range) == base;
                   });
        }
        return std::ranges::all_of(e->children(), [&](NodePtr c) { return !c || asksNestOnly(c); });
    }

    NodePtr marked(const Loop& loop, NodePtr statement) {
        if (!independent_.contains(&loop)) return statement;
        // The C++ compiler takes the mark before simple conditions only.
        if (loop.kind == Loop::Kind::Counting && holdsCall(loop.end) && !ends_.contains(&loop))
            return statement;
        return context_.statement("HPSPMD_INDEPENDENT(" + std::string(loop.variable) +
                                      ")\n"
                                      "$loop;",
                                  {{"$loop", statement}}, loop.statement);
    }

    NodePtr overall(const Loop& loop) {
        const LoopNames& names = loopNames_[&loop];
        const NodePtr origin = loop.statement->child(ast::Overall::headers);
        const std::string variable(loop.variable);
        const auto v = [&] { return name(variable, origin); };
        const auto run = [&] { return name(names.run, origin); };
        NodePtr part = nullptr;
        if (!names.atEntry)
            part = context_.statement("const hpspmd::detail::Run $run = $held.part($arguments);",
                                      {{"$run", run()},
                                       {"$held", name(heldNames_[&loop], origin)},
                                       {"$arguments", tripletArguments(loop, true)}},
                                      origin);
        enclosing_.push_back(&loop);
        const NodePtr body = bodyOf(loop, origin);
        enclosing_.pop_back();
        const std::string step = loop.step == 1 ? "++$i3" : "$i3 += " + std::to_string(loop.step);
        const std::string separator = body->is<ast::Compound>() ? " " : "\n    ";
        const NodePtr statement =
            context_.statement("for (hpspmd::Index $i = $run.first; $i2 <= $run2.last; " + step +
                                   ")" + separator + "$body;",
                               {{"$i", v()},
                                {"$i2", v()},
                                {"$i3", v()},
                                {"$run", run()},
                                {"$run2", run()},
                                {"$body", body}},
                               origin);
        const NodePtr result = marked(loop, statement);
        if (!part) return result;
        return context_.statement(
            "{\n"
            "    $part;\n"
            "    $loop;\n"
            "}",
            {{"$part", part}, {"$loop", result}}, origin);
    }

    NodePtr bodyOf(const Loop& loop, NodePtr origin) {
        const NodePtr body = fast(loop.statement->child(ast::Overall::body));
        if (!loop.usesGlobal) return body;
        const LoopNames& names = loopNames_[&loop];
        std::vector<NodePtr> statements{
            context_.statement("const hpspmd::Index $global = $i + $run.origin;",
                               {{"$global", name(names.global, origin)},
                                {"$i", name(std::string(loop.variable), origin)},
                                {"$run", name(names.run, origin)}},
                               origin)};
        if (body->is<ast::Compound>())
            append(statements, {body->children().begin(), body->children().end()});
        else
            statements.push_back(body);
        return context_.statement(
            "{\n"
            "    $statements;\n"
            "}",
            {{"$statements", statements}}, body);
    }

    /// `a_data[a_0 * (i - 1) + j]`: a sum of products, the last dimension with stride 1.
    NodePtr element(const Access& access) {
        const ArrayNames& names = arrayNames_[access.array];
        NodePtr sum = nullptr;
        for (size_t r = 0; r < access.slots.size(); ++r) {
            const bool last = r + 1 == access.slots.size();
            NodePtr term = local(access, r);
            if (!last)
                term = context_.expression(
                    "$stride * $s",
                    {{"$stride", name(names.strides[r], access.node)}, {"$s", inProduct(term)}},
                    access.node);
            else if (sum)
                term = inSum(term);
            sum = sum ? context_.expression("$l + $r", {{"$l", sum}, {"$r", term}}, access.node)
                      : term;
        }
        if (!sum) sum = context_.number(0, access.node);
        return context_.expression(
            "$p[$sum]", {{"$p", name(names.data, access.node)}, {"$sum", sum}}, access.node);
    }

    /// The local subscript of dimension r.
    NodePtr local(const Access& access, size_t r) {
        const Slot& slot = access.slots[r];
        if (slot.index) return distributed(slot);
        const NodePtr subscript = fast(slot.subscript);
        if (!test_.unchecked().contains({access.node, r})) return subscript;
        return context_.expression(
            "hpspmd::detail::bounded($e, $a, $r)",
            {{"$e", subscript},
             {"$a", context_.made(nest_.arrays[access.array].base, access.node)},
             {"$r", context_.number(static_cast<long>(r), access.node)}},
            access.node);
    }

    NodePtr distributed(const Slot& slot) {
        const NodePtr origin = slot.subscript;
        const auto index = [&]() -> NodePtr {
            if (slot.loop) return name(std::string(slot.loop->variable), origin);
            return context_.expression("$i.sub", {{"$i", ast::copy(context_.arena, slot.index)}},
                                       origin);
        };
        if (!slot.distance && slot.shift == 0) return index();
        const bool negative = slot.distance ? slot.negative : slot.shift < 0;
        NodePtr distance = slot.distance ? inProduct(fast(slot.distance))
                                         : context_.number(std::abs(slot.shift), origin);
        if (!slot.loop)
            distance = context_.expression(
                "$i.shift * $d", {{"$i", ast::copy(context_.arena, slot.index)}, {"$d", distance}},
                origin);
        return context_.expression(negative ? "$i - $d" : "$i + $d",
                                   {{"$i", index()}, {"$d", distance}}, origin);
    }

    NodePtr inProduct(NodePtr e) {
        switch (e->kind()) {
        case ast::Kind::Identifier:
        case ast::Kind::QualifiedName:
        case ast::Kind::NumberLiteral:
        case ast::Kind::Parenthesized:
        case ast::Kind::Call:
        case ast::Kind::Subscript:
        case ast::Kind::Member:
        case ast::Kind::PointerMember:
            return e;
        default:
            return context_.expression("($e)", {{"$e", e}}, e->origin());
        }
    }

    NodePtr inSum(NodePtr e) {
        if (!e->is<ast::Binary>()) return inProduct(e);
        const std::string_view op = e->child(ast::Binary::op)->text();
        const bool binds = op == "+" || op == "-" || op == "*" || op == "/" || op == "%";
        return binds ? e : inProduct(e);
    }

    Context& context_;
    const Nest& nest_;
    Reaches reaches_;
    EntryTest test_;
    ArrayPairs apart_;
    std::unordered_set<const Loop*> independent_;
    std::vector<const Loop*> enclosing_;
    std::unordered_map<const Loop*, LoopNames> loopNames_;
    std::unordered_map<const Loop*, std::string> heldNames_;
    std::vector<ArrayNames> arrayNames_;
    std::vector<std::string> baseNames_;
    std::unordered_map<const Loop*, std::string> ends_;
    std::vector<NodePtr> runs_;
};

}  // namespace

NodePtr withFastForm(Context& context, const Nest& nest) { return FastNest(context, nest).write(); }

}  // namespace hpcc::nests
