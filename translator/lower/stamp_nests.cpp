// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/stamp_nests.hpp"

#include "ast/comments.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/symbol.hpp"
#include "ast/writer.hpp"
#include "lower/regions.hpp"
#include "lower/writes.hpp"
#include "lower/written_parts.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// Notes that arrays are written directly behind their declarations.
class LocalStamper : public ast::Rewriter {
public:
    LocalStamper(ast::Writer& writer, std::vector<NodePtr> arrays)
        : Rewriter(writer.arena), writer_(writer), arrays_(std::move(arrays)) {}

    NodePtr rewriteCompound(NodePtr block) override { return statements(block); }
    NodePtr rewriteSequence(NodePtr sequence) override { return statements(sequence); }
    NodePtr rewriteLambda(NodePtr lambda) override { return lambda; }

private:
    NodePtr statements(NodePtr block) {
        const NodePtr rewritten = rewriteChildren(block);
        std::vector<NodePtr> statements;
        for (size_t k = 0; k < block->children().size(); ++k) {
            statements.push_back(rewritten->child(static_cast<uint32_t>(k)));
            for (const NodePtr array : declaredBy(block->child(static_cast<uint32_t>(k))))
                statements.push_back(writer_.statement(
                    "hpspmd::detail::written($a);",
                    {{"$a", ast::identifier(arena(), std::string(array->text()), array)}},
                    statements.back()));
        }
        if (statements.size() == block->children().size()) return rewritten;
        return ast::rebuild(arena(), block, statements);
    }

    std::vector<NodePtr> declaredBy(NodePtr statement) const {
        std::vector<NodePtr> result;
        if (!statement->is<ast::Declaration>()) return result;
        const NodePtr list = statement->child(ast::Declaration::declarators);
        for (const NodePtr each : list ? list->children() : std::span<const NodePtr>())
            for (const NodePtr array : arrays_)
                if (each->symbol && each->symbol == array->symbol) result.push_back(array);
        return result;
    }

    ast::Writer& writer_;
    std::vector<NodePtr> arrays_;
};

class NestStamper : public ast::Rewriter {
public:
    NestStamper(ast::Writer writer, const ast::MacroNames& macros)
        : Rewriter(writer.arena, ast::extension), writer_(writer), macros_(macros) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        const NodePtr header = overall->child(ast::Overall::headers)->child(0);
        return stamped(overall, header->child(ast::OverallHeader::index));
    }
    NodePtr rewriteAt(NodePtr at) override { return stamped(at, at->child(ast::At::index)); }

private:
    NodePtr stamped(NodePtr nest, NodePtr index) {
        const ast::Effects effects = ast::effectsOf(nest);
        Writes writes = writesOf(nest, macros_, effects);
        if (ast::holdsDirective(nest->text())) forgetUnsure(writes, nest);
        std::vector<Writes::Written> outside;
        std::vector<NodePtr> inside;
        for (const Writes::Written& written : writes.arrays) {
            const NodePtr array = written.array;
            if (!effects.touches(ast::namesIn(array)))
                outside.push_back(written);
            else if (written.isSure() && array->is<ast::Identifier>() &&
                     !effects.assigned.contains(array->text()))
                inside.push_back(array);
        }
        const bool isNeeded = writes.others || !effects.calls.empty();
        if (outside.empty() && inside.empty() && !isNeeded) return nest;
        if (!inside.empty()) nest = LocalStamper(writer_, inside).rewriteChildren(nest);
        return wrapped(nest, index, arguments(nest, effects, outside, index));
    }

    /// What stands under #if is perhaps not there, and the arrays neither.
    static void forgetUnsure(Writes& writes, NodePtr nest) {
        std::erase_if(writes.arrays, [&](const Writes::Written& written) {
            return !isThereWith(nest, written.array);
        });
        for (Writes::Written& written : writes.arrays) {
            written.elements.clear();
            written.isPerhaps = true;
        }
        writes.others = true;
    }

    NodePtr wrapped(NodePtr nest, NodePtr index, const std::vector<NodePtr>& arguments) {
        const std::string name = writer_.names.name(std::string(index->text()) + "_nest");
        return writer_.statement(arguments.empty()
                                     ? "{\n"
                                       "    const hpspmd::detail::Nest $name;\n"
                                       "    $nest;\n"
                                       "}"
                                     : "{\n"
                                       "    const hpspmd::detail::Nest $name($arguments);\n"
                                       "    $nest;\n"
                                       "}",
                                 {{"$name", ast::identifier(arena(), name, index)},
                                  {"$arguments", arguments},
                                  {"$nest", nest}},
                                 nest);
    }

    /// Whether there are iterations, if that can be told here, and the arrays.
    std::vector<NodePtr> arguments(NodePtr nest, const ast::Effects& effects,
                                   const std::vector<Writes::Written>& arrays, NodePtr origin) {
        std::vector<NodePtr> result;
        if (arrays.empty()) return result;
        if (const NodePtr any = anyIteration(nest, effects, origin)) result.push_back(any);
        WrittenParts parts(writer_, macros_, effects, origin);
        for (const Writes::Written& written : arrays)
            for (const NodePtr each : parts.of(written)) result.push_back(each);
        return result;
    }

    NodePtr anyIteration(NodePtr nest, const ast::Effects& effects, NodePtr origin) {
        NodePtr result = nullptr;
        for (NodePtr node = nest; ast::is<ast::Overall>(node);
             node = node->child(ast::Overall::body)) {
            const NodePtr header = node->child(ast::Overall::headers)->child(0);
            const bool isEvaluated =  // an inner one perhaps not
                node == nest || ast::isSafe(header->child(ast::OverallHeader::triplet));
            const NodePtr any = isEvaluated ? anyLocation(header, effects, origin) : nullptr;
            if (!any) continue;
            result = result ? writer_.expression("$l && $r", {{"$l", result}, {"$r", any}}, origin)
                            : any;
        }
        return result;
    }

    NodePtr anyLocation(NodePtr header, const ast::Effects& effects, NodePtr origin) {
        const NodePtr range = header->child(ast::OverallHeader::range);
        const NodePtr triplet = header->child(ast::OverallHeader::triplet);
        const auto isKnown = [&](NodePtr e) { return isFixed(e, macros_, effects); };
        std::vector<NodePtr> parts(triplet->children().begin(), triplet->children().end());
        while (!parts.empty() && !parts.back()) parts.pop_back();
        if (parts.empty() || !isKnown(range) || !isKnown(triplet)) return nullptr;
        for (NodePtr& part : parts)
            part =
                part ? made(part, origin) : writer_.expression("hpspmd::detail::none", {}, origin);
        return writer_.expression("hpspmd::detail::any($range, $parts)",
                                  {{"$range", made(range, origin)}, {"$parts", parts}}, origin);
    }

    NodePtr made(NodePtr expression, NodePtr origin) { return madeOf(arena(), expression, origin); }

    ast::Writer writer_;
    const ast::MacroNames& macros_;
};

}  // namespace

ast::Unit stampNests(ast::Unit unit, ast::Quoter& quote) {
    if (!unit.hasExtensions) return unit;
    NestStamper stamper({*unit.arena, quote, ast::FreshNames(unit.identifiers)},
                        unit.whole->macros());
    unit.root = stamper.rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::lower
