// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/vectors.hpp"

#include <algorithm>
#include <utility>

#include "analysis/loop.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/type.hpp"
#include "regions/rewritten.hpp"
#include "regions/shapes.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using diagnostics::Id;

constexpr long mostDimensions = 7;  // a loop over more of them is left as it is

// The rank of the array that a header runs over; 0 if it runs over a range.
std::size_t rankOfHeader(NodePtr header) {
    if (!ast::is<ast::OverallHeader>(header)) return 0;
    const ast::Type* type = header->child(ast::OverallHeader::range)->type;
    return type && type->kind == ast::TypeKind::Multiarray ? type->slots.size() : 0;
}

bool holdsVector(NodePtr node) {
    if (!node || !node->contains(ast::extension)) return false;
    return rankOfHeader(node) > 0 || std::ranges::any_of(node->children(), holdsVector);
}

// One of which the values may take its place wherever it is used.
bool declaresShape(NodePtr node) {
    if (!node->is<ast::Declaration>()) return false;
    const NodePtr sole = analysis::soleDeclarator(node);
    return sole && sole->symbol && sole->symbol->initializer && isShape(sole->symbol->type) &&
           analysis::isStable(sole->symbol);
}

bool names(NodePtr node, const Symbol* symbol) {
    return ast::anywhere(
        node, [&](NodePtr each) { return each->is<ast::Identifier>() && each->symbol == symbol; });
}

class VectorWriter {
public:
    VectorWriter(const ast::Unit& unit, diagnostics::Engine& engine)
        : unit_(unit),
          engine_(engine),
          fresh_(unit.identifiers),
          shapes_(vectors_, values_, engine, [this](NodePtr node) { return inLine(node); }),
          out_(*unit.text) {}

    void write(NodePtr node) {
        if (!node) return;
        if (declaresShape(node) && !line_) out_.add("[[maybe_unused]] ");
        if (vectors_.empty() && !holdsVector(node)) return gap(node->span());
        if (!writtenOtherwise(node)) ast::forEachPiece(node, *this);
    }

    std::string take() { return out_.take(); }

    // What forEachPiece tells.
    void gap(source::Span piece) {
        if (line_)
            *line_ += withoutComments(piece.str());
        else
            out_.takeOver(piece);
    }
    void joint(std::string_view) {}
    void child(NodePtr child) { write(child); }
    static bool keeps(NodePtr) { return false; }

private:
    // ---- text -----------------------------------------------------------------------------------

    // What stands between nodes, in one line.
    static std::string withoutComments(std::string_view text) {
        std::string result;
        for (std::size_t k = 0; k < text.size(); ++k) {
            const std::string_view rest = text.substr(k);
            if (rest.starts_with("//"))
                k += std::min(rest.find('\n'), rest.size()) - 1;
            else if (rest.starts_with("/*"))
                k += std::min(rest.find("*/") + 1, rest.size() - 1);
            else if (std::string_view(" \t\r\n").find(text[k]) == std::string_view::npos)
                result += text[k];
            else if (result.empty() || result.back() != ' ')
                result += ' ';
        }
        return result;
    }

    std::string inLine(NodePtr node) {
        std::string text;
        std::string* const outer = std::exchange(line_, &text);
        if (node->children().empty() && !ast::is<ast::Identifier>(node))
            text = node->text();
        else
            write(node);
        line_ = outer;
        return text;
    }

    void put(NodePtr node, const std::string& text) {
        if (line_)
            *line_ += text;
        else
            out_.replace(node->span(), text);
    }

    // ---- nodes ----------------------------------------------------------------------------------

    // Something stands in the node's place.
    bool writtenOtherwise(NodePtr node) {
        if (node->is<ast::OverallHeaders>()) return headers(node);
        if (vectors_.empty()) return false;
        if (node->is<ast::Identifier>()) return name(node);
        if (node->is<ast::Subscript>() && component(node)) return true;
        if (node->is<ast::Subscript>() || node->is<ast::Section>()) return access(node);
        if (node->is<ast::GlobalIndex>()) return globalIndices(node);
        if (node->is<ast::Call>()) return dimensions(node);
        return node->is<ast::For>() && loop(node);
    }

    // (v = a for 1 : shape(a) - 2)
    bool headers(NodePtr node) {
        if (std::ranges::none_of(node->children(), [](NodePtr each) { return rankOfHeader(each); }))
            return false;
        std::string text;
        for (const NodePtr each : node->children()) {
            const std::size_t rank = rankOfHeader(each);
            for (std::size_t r = 0; r < std::max<std::size_t>(rank, 1); ++r)
                text += (text.empty() ? "" : ", ") + (rank > 0 ? header(each, r) : inLine(each));
        }
        put(node, "(" + text + ")");
        return true;
    }

    std::string header(NodePtr node, std::size_t r) {
        const NodePtr index = node->child(ast::OverallHeader::index),
                      range = bare(node->child(ast::OverallHeader::range)),
                      triplet = node->child(ast::OverallHeader::triplet);
        const std::size_t rank = rankOfHeader(node);
        if (r == 0 && !ast::isSimple(range))
            engine_.report(Id::VectorOperand, range->span(), range->text());
        std::string text;
        for (uint32_t k = 0; k < 3; ++k) {
            const NodePtr part = triplet->child(k);
            if (k == 1 || (k == 2 && part)) text += " :";
            if (part) text += " " + shapes_.part(part, r, rank).text;
        }
        std::vector<std::string>& indices = vectors_[node->symbol];
        if (r == 0) {
            indices.clear();  // of another round of a loop over dimensions
            for (std::size_t k = 0; k < rank; ++k)
                indices.push_back(
                    fresh_.name(std::string(index->text()) + "_" + std::to_string(k)));
        }
        // What the triplets say sees the vectors to its left only.
        return indices[r] + " = " + inLine(range) + ".rng(" + std::to_string(r) + ") for" + text;
    }

    bool name(NodePtr node) {
        if (const auto value = values_.find(node->symbol); value != values_.end()) {
            put(node, std::to_string(value->second));
            return true;
        }
        if (!vectors_.contains(node->symbol)) return false;
        const std::string own(node->text());
        engine_.report(Id::VectorPlace, node->span(), own)
            .help("an element is a[" + own + "] or a[" + own + " + s], a place is " + own + "`");
        return true;
    }

    // a[v, k], a[[v + 1, :]]
    bool access(NodePtr node) {
        const NodePtr base = node->child(0), list = node->child(1);
        const ast::Type* array =
            base->type && base->type->kind == ast::TypeKind::Multiarray ? base->type : nullptr;
        std::string text;
        std::size_t slot = 0;
        NodePtr vector = nullptr;
        for (const NodePtr each : list->children()) {
            const auto rank = ast::isExpression(each) ? shapes_.rankOf(each) : std::nullopt;
            if (rank) vector = each;
            for (std::size_t r = 0; r < rank.value_or(1); ++r, ++slot) {
                const bool isSequential = array && slot < array->slots.size() &&
                                          array->slots[slot] == ast::SlotKind::Sequential;
                text += (text.empty() ? "" : ", ") +
                        (rank ? *shapes_.shifted(each, r, isSequential) : inLine(each));
            }
        }
        if (!vector) return false;
        if (array && slot != array->slots.size())
            engine_.report(Id::VectorRank, vector->span(), vector->text(),
                           std::to_string(*shapes_.rankOf(vector)), base->text(),
                           std::to_string(array->slots.size()));
        write(base);
        gap({unit_.text, base->span().end, list->span().begin});
        put(list, node->is<ast::Section>() ? "[[" + text + "]]" : "[" + text + "]");
        return true;
    }

    // v`[1]
    bool component(NodePtr node) {
        const NodePtr base = bare(node->child(ast::Subscript::base));
        const auto entries = node->child(ast::Subscript::subscripts)->children();
        if (!ast::is<ast::GlobalIndex>(base) || !shapes_.rankOf(base) || entries.size() != 1)
            return false;
        const std::size_t rank = *shapes_.rankOf(base);
        const auto r = shapes_.valueOf(entries[0]);
        if (!r) return false;
        if (*r < 0 || *r >= static_cast<long long>(rank)) {
            engine_.report(Id::ShapeRank, node->span(), node->text(), std::to_string(*r + 1),
                           std::to_string(rank));
            return true;
        }
        put(node, *shapes_.shifted(base, static_cast<std::size_t>(*r)));
        return true;
    }

    // v`
    bool globalIndices(NodePtr node) {
        const auto rank = shapes_.rankOf(node);
        if (!rank) return false;
        std::string text;
        for (std::size_t r = 0; r < *rank; ++r)
            text += (r > 0 ? ", " : "") + *shapes_.shifted(node, r);
        put(node, "hpspmd::Adlib::Shape<" + std::to_string(*rank) + ">{" + text + "}");
        return true;
    }

    // dim(a)
    bool dimensions(NodePtr node) {
        if (!argumentOf(node, "dim")) return false;
        const auto value = shapes_.valueOf(node);
        if (value) put(node, std::to_string(*value));
        return value.has_value();
    }

    // ---- loops over dimensions ------------------------------------------------------------------

    // d chooses a dimension: unit(d), v`[d], a.rng(d)
    bool chooses(NodePtr body, const Symbol* d) const {
        return ast::anywhere(body, [&](NodePtr each) {
            if (const NodePtr argument = argumentOf(each, "unit")) return names(argument, d);
            return each->is<ast::Subscript>() &&
                   ast::is<ast::GlobalIndex>(bare(each->child(ast::Subscript::base))) &&
                   names(each->child(ast::Subscript::subscripts), d);
        });
    }

    static bool leaves(NodePtr body) {
        return ast::anywhere(body, [](NodePtr each) {
            return ast::isAny<ast::Break, ast::Continue, ast::Goto, ast::Label, ast::Lambda,
                              ast::OpaqueStatement, ast::OpaqueExpression>(each);
        });
    }

    // The variable is assigned, or given to a function that may do so.
    static bool mayChange(NodePtr body, const Symbol* d) {
        const auto isD = [&](NodePtr each) {
            return ast::is<ast::Identifier>(bare(each)) && bare(each)->symbol == d;
        };
        return ast::anywhere(body, [&](NodePtr each) {
            if (const NodePtr changed = ast::changedOperand(each); changed && isD(changed))
                return true;
            if (each->is<ast::Unary>() && each->child(ast::Unary::op)->text() == "&")
                return isD(each->child(ast::Unary::operand));
            return each->is<ast::Call>() && !argumentOf(each, "unit") &&
                   std::ranges::any_of(each->child(ast::Call::arguments)->children(), isD);
        });
    }

    bool loop(NodePtr node) {
        const auto counting = analysis::countingLoop(node);
        const NodePtr body = node->child(ast::For::body);
        if (!counting || !counting->isOwn || line_) return false;
        const Symbol* d = counting->name->symbol;
        const auto first = shapes_.valueOf(counting->first),
                   last = shapes_.valueOf(counting->bound);
        if (!d || !first || !last || !chooses(body, d) || leaves(body)) return false;
        if (mayChange(body, d)) return false;
        if (std::abs(*last - *first) > mostDimensions * std::abs(counting->step)) return false;
        out_.replace({unit_.text, node->span().begin, body->span().begin}, "{ ");
        for (long long k = *first; counting->runs(k, *last); k += counting->step) {
            if (k != *first) out_.add(" ");
            values_[d] = static_cast<long>(k);
            write(body);
        }
        values_.erase(d);
        out_.add(" }");
        return true;
    }

    const ast::Unit& unit_;
    diagnostics::Engine& engine_;
    const ast::FreshNames fresh_;
    Vectors vectors_;
    Values values_;
    Shapes shapes_;
    Rewritten out_;
    std::string* line_ = nullptr;  // where the text goes if it stays in one line
};

}  // namespace

std::optional<std::string> vectorsWritten(const ast::Unit& unit, diagnostics::Engine& engine) {
    if (!holdsVector(unit.root)) return std::nullopt;
    VectorWriter writer(unit, engine);
    writer.write(unit.root);
    return writer.take();
}

}  // namespace hpcc::regions
