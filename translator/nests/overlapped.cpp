#include "nests/overlapped.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "nests/merge.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Exchanges one node.
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

/// Puts the pieces together.
struct Writing {
    Context& context;
    const HaloCall& halo;
    const FastForm& form;
    const Nest& nest;
    const Splitting& splitting;
    std::string haloName = context.names.name(plain(halo.arrays.front()) + "_halo");
    std::string partsName = context.names.name(std::string(nest.loops.front().variable) + "_parts");

    static std::string plain(std::string text) {
        if (text.starts_with("this->")) text.erase(0, 6);
        std::ranges::replace_if(
            text, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
        return text;
    }

    NodePtr write(NodePtr statement) {
        const NodePtr split = Replacing(context.arena, form.choice, choice()).rewrite(statement);
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
            {{"$halo", name(haloName)}, {"$arguments", arguments()}, {"$nest", split}},
            halo.statement);
    }

    /// `HaloUnderWay u_halo(Plane(u));` would declare a function.
    std::vector<NodePtr> arguments() {
        std::vector<NodePtr> result = halo.arguments;
        if (!halo.isJoint && result.size() == 1 && !ast::isSimple(result[0]))
            result[0] = context.expression("($e)", {{"$e", result[0]}}, result[0]);
        return result;
    }

    NodePtr name(const std::string& text) {
        return context.identifier(text, form.nest->child(ast::Overall::headers));
    }

    NodePtr choice() {
        const NodePtr then = form.choice->child(ast::If::then),
                      otherwise = form.choice->child(ast::If::otherwise);
        const NodePtr fast = Replacing(context.arena, form.call, call())
                                 .rewrite(form.before.empty() ? then : then->children().back());
        std::vector<NodePtr> nests{otherwise};
        if (!form.fused.empty())
            nests.assign(otherwise->children().begin(), otherwise->children().end());
        return context.statement(
            std::string("if ($test) {\n") + (form.before.empty() ? "" : "    $before;\n") +
                "    hpspmd::detail::NestParts $parts($halo, $apart, $margins);\n"
                "    while ($parts2.next())\n"
                "        $fast;\n"
                "} else {\n"
                "    $halo2.finish();\n"
                "    $nests;\n"
                "}",
            {{"$test", form.choice->child(ast::If::condition)},
             {"$before", form.before},
             {"$parts", name(partsName)},
             {"$halo", name(haloName)},
             {"$apart", areApart()},
             {"$margins", margins()},
             {"$parts2", name(partsName)},
             {"$fast", fast},
             {"$halo2", name(haloName)},
             {"$nests", nests}},
            form.nest);
    }

    NodePtr areApart() {
        const std::string known = ast::print(form.choice->child(ast::If::condition));
        NodePtr all = nullptr;
        for (const auto& [left, right] : splitting.apart) {
            if (known.find("disjoint(" + nest.arrays[left].text + ", " + nest.arrays[right].text +
                           ")") != known.npos)
                continue;
            const NodePtr one = context.expression(
                "hpspmd::detail::disjoint($a, $b)",
                {{"$a", name(nest.arrays[left].text)}, {"$b", name(nest.arrays[right].text)}},
                form.nest);
            all = all ? context.expression("$l && $r", {{"$l", all}, {"$r", one}}, form.nest) : one;
        }
        return all ? all : name("true");
    }

    std::vector<NodePtr> margins() {
        std::vector<NodePtr> result;
        for (size_t k = 0; k < splitting.sides.size(); ++k) {
            const Splitting::Side& side = splitting.sides[k];
            std::string text = "hpspmd::detail::Margin(" + runOf(k) + ", " +
                               std::to_string(side.low) + ", " + std::to_string(side.high);
            if (side.step != 1) text += ", " + std::to_string(side.step);
            text += ")";
            for (const auto& [array, r] : side.sent)
                text += ".sending(" + array + ".rng(" + std::to_string(r) + "))";
            result.push_back(name(text));
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
        std::vector<NodePtr> changed(arguments->children().begin(), arguments->children().end());
        std::map<std::string, std::string> parts;
        for (size_t k = 0; k < splitting.sides.size(); ++k)
            parts.emplace(runOf(k), partsName + "[" + std::to_string(k) + "]");
        for (NodePtr& argument : changed)
            if (!ast::is<ast::Lambda>(argument)) argument = withNames(context, argument, parts);
        return ast::withChild(context.arena, form.call, ast::Call::arguments,
                              ast::rebuild(context.arena, arguments, changed));
    }
};

}  // namespace

NodePtr overlapped(Context& context, const HaloCall& halo, const FastForm& form, const Nest& nest,
                   const Splitting& splitting, NodePtr statement) {
    return Writing{context, halo, form, nest, splitting}.write(statement);
}

}  // namespace hpcc::nests
