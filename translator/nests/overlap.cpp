#include "nests/overlap.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "ast/comments.hpp"
#include "ast/print.hpp"
#include "ast/remarks.hpp"
#include "ast/rewriter.hpp"
#include "ast/subscripts.hpp"
#include "nests/analyse.hpp"
#include "nests/fast_form.hpp"
#include "nests/numbers.hpp"
#include "nests/splitting.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// A call of writeHalo, and what it exchanges.
struct Halo {
    NodePtr statement = nullptr;
    std::vector<NodePtr> arguments;
    std::vector<std::string> arrays;
    bool isJoint = false;  // of several arrays
};

bool isHaloCall(NodePtr e) {
    if (!ast::is<ast::Call>(e)) return false;
    const std::string callee = ast::print(e->child(ast::Call::callee));
    return callee == "Adlib::halo" || callee == "hpspmd::Adlib::halo";
}

std::optional<Halo> haloIn(NodePtr statement) {
    if (!ast::is<ast::ExpressionStatement>(statement)) return std::nullopt;
    const NodePtr call = statement->child(ast::ExpressionStatement::expression);
    if (!ast::is<ast::Call>(call)) return std::nullopt;
    const std::string callee = ast::print(call->child(ast::Call::callee));
    if (callee != "Adlib::writeHalo" && callee != "hpspmd::Adlib::writeHalo") return std::nullopt;
    const auto arguments = call->child(ast::Call::arguments)->children();
    Halo halo{statement, {arguments.begin(), arguments.end()}, {}, false};
    for (const NodePtr argument : arguments) {
        const NodePtr array =
            isHaloCall(argument) ? argument->child(ast::Call::arguments)->child(0) : argument;
        if (ast::multiarrayType(array)) halo.arrays.push_back(ast::print(array));
    }
    halo.isJoint = halo.arrays.size() == arguments.size() &&
                   (arguments.size() > 1 || (!arguments.empty() && isHaloCall(arguments[0])));
    if (halo.arrays.empty() || (!halo.isJoint && halo.arrays.size() != 1)) return std::nullopt;
    return halo;
}

class Overlaps : public ast::Rewriter {
public:
    Overlaps(Context& context, const ast::Unit& unit)
        : Rewriter(context.arena),
          context_(context),
          remarks_(unit.remarks),
          surroundings_{unit.whole->macros(), {}} {}

    /// Nothing is exchanged inside of a fast form.
    NodePtr rewriteIf(NodePtr choice) override {
        return isFastForm(choice) ? choice : rewriteChildren(choice);
    }

    NodePtr rewriteCompound(NodePtr block) override {
        const NodePtr rewritten = rewriteChildren(block);
        if (holdsDirective(block)) return rewritten;
        std::vector<NodePtr> statements;
        const auto old = rewritten->children();
        for (size_t k = 0; k < old.size(); ++k) {
            const auto halo = haloIn(old[k]);
            const size_t nest = halo ? nestBehind(old, k) : 0;
            const NodePtr overlapped = nest ? overlap(*halo, old[nest]) : nullptr;
            if (!overlapped) {
                statements.push_back(old[k]);
                continue;
            }
            statements.insert(statements.end(), old.begin() + k + 1, old.begin() + nest);
            statements.push_back(overlapped);
            k = nest;
        }
        return statements.size() == old.size() && std::ranges::equal(statements, old)
                   ? rewritten
                   : context_.arena.rebuilt(rewritten, rewritten, statements);
    }

private:
    /// Lines of the preprocessor stand in no node, and must stay where they are.
    static bool holdsDirective(NodePtr block) {
        return ast::holdsDirective(block->origin()->text());
    }

    /// The place of the nest behind the statement at k, with numbers declared between them; 0 if
    /// something else stands there.
    static size_t nestBehind(std::span<const NodePtr> statements, size_t k) {
        for (++k; k < statements.size() && declaresPlainNumbers(statements[k]);) ++k;
        return k < statements.size() && fastFormIn(statements[k]).nest ? k : 0;
    }

    NodePtr overlap(const Halo& halo, NodePtr statement) {
        const FastForm form = fastFormIn(statement);
        const NodePtr headers = form.nest->child(ast::Overall::headers);
        if (!form.choice) return leave(halo, {headers, "has no fast form"});
        if (form.isFused) return leave(halo, {headers, "runs together with the one behind it"});
        const auto analysed = analyse(form.nest, surroundings_);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&analysed))
            return leave(halo, *obstacle);
        const Nest& nest = std::get<Nest>(analysed);
        const auto splitting = splittingOf(context_, nest, halo.arrays);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&splitting))
            return leave(halo, *obstacle);
        if (!form.call) return leave(halo, {headers, "assigns a number and may fail in between"});
        if (remarks_)
            remarks_->fired("overlap", halo.statement,
                            "the ghost cells of " + arraysOf(halo) +
                                " travel while the interior of the nest behind runs, where a "
                                "measurement shows that this pays");
        return Writing{*this, halo, form, nest, std::get<Splitting>(splitting)}.write(statement);
    }

    static std::string arraysOf(const Halo& halo) {
        std::string result;
        for (const std::string& array : halo.arrays)
            result += (result.empty() ? "'" : ", '") + array + "'";
        return result;
    }

    NodePtr leave(const Halo& halo, const Obstacle& obstacle) {
        if (remarks_)
            remarks_->missed("overlap", halo.statement,
                             "the ghost cells of " + arraysOf(halo) +
                                 " are exchanged before the nest behind begins",
                             obstacle.place, "because here it " + obstacle.reason);
        return nullptr;
    }

    /// Puts the pieces of one nest together.
    struct Writing {
        Overlaps& pass;
        const Halo& halo;
        const FastForm& form;
        const Nest& nest;
        const Splitting& splitting;
        Context& context = pass.context_;
        std::string halo_ = context.names.name(plain(halo.arrays.front()) + "_halo");
        std::string parts_ =
            context.names.name(std::string(nest.loops.front().variable) + "_parts");

        static std::string plain(std::string text) {
            if (text.starts_with("this->")) text.erase(0, 6);
            std::ranges::replace_if(
                text, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
            return text;
        }

        NodePtr write(NodePtr statement) {
            const NodePtr split =
                Replacing(context.arena, form.choice, choice()).rewrite(statement);
            return context.statement(
                halo.isJoint ? "{\n"
                               "    hpspmd::detail::HaloUnderWay $halo("
                               "std::forward_as_tuple($arguments));\n"
                               "    $nest;\n"
                               "}"
                             : "{\n"
                               "    hpspmd::detail::HaloUnderWay "
                               "$halo($arguments);\n"
                               "    $nest;\n"
                               "}",
                {{"$halo", name(halo_)}, {"$arguments", halo.arguments}, {"$nest", split}},
                halo.statement);
        }

        NodePtr name(const std::string& text) {
            return context.identifier(text, form.nest->child(ast::Overall::headers));
        }

        NodePtr choice() {
            const NodePtr fast = Replacing(context.arena, form.call, call())
                                     .rewrite(form.choice->child(ast::If::then));
            return context.statement(
                "if ($test) {\n"
                "    hpspmd::detail::NestParts $parts($halo, $apart, $margins);\n"
                "    while ($parts2.next())\n"
                "        $fast;\n"
                "} else {\n"
                "    $halo2.finish();\n"
                "    $nest;\n"
                "}",
                {{"$test", form.choice->child(ast::If::condition)},
                 {"$parts", name(parts_)},
                 {"$halo", name(halo_)},
                 {"$apart", areApart()},
                 {"$margins", margins()},
                 {"$parts2", name(parts_)},
                 {"$fast", fast},
                 {"$halo2", name(halo_)},
                 {"$nest", form.nest}},
                form.nest);
        }

        NodePtr areApart() {
            const std::string known = ast::print(form.choice->child(ast::If::condition));
            NodePtr all = nullptr;
            for (const auto& [left, right] : splitting.apart) {
                if (known.find("disjoint(" + nest.arrays[left].text + ", " +
                               nest.arrays[right].text + ")") != known.npos)
                    continue;
                const NodePtr one = context.expression(
                    "hpspmd::detail::disjoint($a, $b)",
                    {{"$a", name(nest.arrays[left].text)}, {"$b", name(nest.arrays[right].text)}},
                    form.nest);
                all = all ? context.expression("$l && $r", {{"$l", all}, {"$r", one}}, form.nest)
                          : one;
            }
            return all ? all : name("true");
        }

        std::vector<NodePtr> margins() {
            std::vector<NodePtr> result;
            for (size_t k = 0; k < splitting.sides.size(); ++k) {
                const Splitting::Side& side = splitting.sides[k];
                std::string text = "hpspmd::detail::Margin(" + runOf(k) + ", " +
                                   std::to_string(side.low) + ", " + std::to_string(side.high);
                if (side.loop->step != 1) text += ", " + std::to_string(side.loop->step);
                result.push_back(name(text + ")"));
            }
            return result;
        }

        const std::string& runOf(size_t side) const {
            size_t before = 0;
            for (const Loop& loop : nest.loops) {
                if (&loop == splitting.sides[side].loop) break;
                before += loop.kind == Loop::Kind::Overall;
            }
            return form.runs[before];
        }

        /// The call with the runs of the part.
        NodePtr call() {
            const NodePtr arguments = form.call->child(ast::Call::arguments);
            std::vector<NodePtr> changed(arguments->children().begin(),
                                         arguments->children().end());
            for (NodePtr& argument : changed)
                if (!ast::is<ast::Lambda>(argument)) argument = Renaming(*this).rewrite(argument);
            return ast::withChild(context.arena, form.call, ast::Call::arguments,
                                  ast::rebuild(context.arena, arguments, changed));
        }
    };

    /// Of the nest's runs to those of the part.
    class Renaming : public ast::Rewriter {
    public:
        explicit Renaming(Writing& writing) : Rewriter(writing.context.arena), writing_(writing) {}
        NodePtr rewriteIdentifier(NodePtr node) override {
            for (size_t k = 0; k < writing_.splitting.sides.size(); ++k)
                if (node->text() == writing_.runOf(k))
                    return writing_.name(writing_.parts_ + "[" + std::to_string(k) + "]");
            return node;
        }

    private:
        Writing& writing_;
    };

    class Replacing : public ast::Rewriter {
    public:
        Replacing(ast::Arena& arena, NodePtr old, NodePtr now)
            : Rewriter(arena), old_(old), now_(now) {}
        NodePtr rewriteIf(NodePtr node) override { return replaced(node); }
        NodePtr rewriteCall(NodePtr node) override { return replaced(node); }

    private:
        NodePtr replaced(NodePtr node) { return node == old_ ? now_ : rewriteChildren(node); }
        NodePtr old_, now_;
    };

    Context& context_;
    ast::Remarks* remarks_;
    Surroundings surroundings_;
};

}  // namespace

ast::Unit overlap(ast::Unit unit, ast::Quoter& quote) {
    Context context{{*unit.arena, quote, ast::FreshNames(unit.identifiers)}};
    unit.root = Overlaps(context, unit).rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::nests
