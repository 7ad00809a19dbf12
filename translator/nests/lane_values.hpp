// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "nests/elements.hpp"
#include "nests/lane_rows.hpp"
#include "nests/lane_width.hpp"
#include "nests/varying.hpp"

namespace hpcc::nests {

/// What is computed of each element of a row, `f(v)` of an element v, once in front of the loops.
struct ComputedRow {
    std::string name, row, length, of;  // f
};

/// Expressions in several iterations of a loop at once (lanes.hpp).
class LaneValues {
public:
    /// `all` names all of them, `run` what the loop goes over.
    LaneValues(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
               const Varying& varying, std::string all, std::string run)
        : mask(all),
          context_(context),
          nest_(nest),
          loop_(loop),
          elements_(elements),
          varying_(varying),
          rows_(laneRows(context, nest, loop, varying, elements)),
          all_(std::move(all)),
          run_(std::move(run)),
          elementName_(context.fresh(std::string(loop.variable) + "_v")),
          packs_(nests::isWide(nest, loop, varying, rows_)
                     ? "hpspmd::detail::packsOfThose<decltype(" + all_ + ")>"
                     : "") {}

    /// Null if it is not understood; so are the others.
    ast::NodePtr value(ast::NodePtr expression);
    /// Of a condition: in which of them it holds.
    ast::NodePtr truth(ast::NodePtr condition);
    /// What is the same in all of them.
    ast::NodePtr common(ast::NodePtr expression) { return elements_.fast(expression); }
    /// An assignment, ++ or --, or several with commas.
    ast::NodePtr change(ast::NodePtr expression);
    /// `auto y = z;` of a declarator, where z is a std::array of the iteration; null of others.
    ast::NodePtr copiedArray(ast::NodePtr declarator);
    /// `if (c) x = a; else x = b;` as one assignment, also with `else if`, and where x stays as it
    /// is without a last `else`; null of others.
    ast::NodePtr choiceBy(ast::NodePtr ifStatement);

    const std::map<size_t, LaneRow>& rows() const { return rows_; }
    const std::vector<ComputedRow>& computedRows() const { return computed_; }
    /// Names v there.
    const std::string& elementName() const { return elementName_; }
    bool isWide() const { return !packs_.empty(); }
    /// The types of numbers and conditions.
    std::string eachOf(const std::string& word) const {
        return "hpspmd::detail::Each<" + word + (packs_.empty() ? ">" : ", " + packs_ + ">");
    }
    std::string some() const { return "hpspmd::detail::Some<" + packs_ + ">"; }

    std::string mask;  // names those that come here

private:
    ast::NodePtr name(const std::string& text, ast::NodePtr origin) {
        return context_.identifier(text, origin);
    }
    ast::NodePtr computedOnce(ast::NodePtr e);
    const Access* soleElement(ast::NodePtr e) const;
    ast::NodePtr unary(ast::NodePtr e);
    ast::NodePtr binary(ast::NodePtr e);
    ast::NodePtr beside(ast::NodePtr e, ast::NodePtr other);
    ast::NodePtr operation(const std::string& op, ast::NodePtr left, ast::NodePtr right,
                           ast::NodePtr target);
    ast::NodePtr choice(ast::NodePtr e);
    ast::NodePtr conditional(ast::NodePtr statement, ast::NodePtr& target);
    ast::NodePtr call(ast::NodePtr e);
    ast::NodePtr extreme(ast::NodePtr e);
    ast::NodePtr oneByOne(ast::NodePtr e);
    ast::NodePtr ofFunction(ast::NodePtr e);
    bool varies(ast::NodePtr e) const;
    ast::NodePtr converted(ast::NodePtr e, const std::string& word, ast::NodePtr operand);
    ast::NodePtr subscript(ast::NodePtr e);
    ast::NodePtr ownElement(ast::NodePtr e);
    ast::NodePtr ownArray(ast::NodePtr e);
    ast::NodePtr element(const Access& access, ast::NodePtr stored);
    ast::NodePtr set(ast::NodePtr place, ast::NodePtr result, bool isPartial);
    ast::NodePtr changed(ast::NodePtr e, ast::NodePtr target, ast::NodePtr result);
    bool isFree(ast::NodePtr e, ast::NodePtr surely, bool someDo = false) const;
    bool isSurelyThere(const Access& access) const;

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    Elements& elements_;
    const Varying& varying_;
    const std::map<size_t, LaneRow> rows_;
    Names parameters_;  // of a function that is looked into
    std::vector<ComputedRow> computed_;
    const Access* computedOf_ = nullptr;  // the element of which something is computed once
    std::string all_, run_, elementName_, packs_;
};

/// `double` of numbers that packs hold; "" of others.
std::string laneWord(const ast::Type* type);
bool isBool(const ast::Type* type);
/// `abs` of `std::abs`, unless the program has its own.
std::string_view mathematicalName(ast::NodePtr callee);
/// A constant by which the integers of all lanes can be divided.
bool isDivisorOfAll(ast::NodePtr e);

}  // namespace hpcc::nests
