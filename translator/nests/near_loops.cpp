// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/near_loops.hpp"

#include "analysis/compile_time.hpp"
#include "analysis/constant.hpp"
#include "analysis/loop.hpp"
#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class NearLoops : public ast::Rewriter {
public:
    NearLoops(Context& context, const std::string& operands,
              const std::map<std::string, FarRow>& far)
        : Rewriter(context.arena), context_(context), operands_(operands), far_(far) {}

    /// A condition of C++: it knows the bounds, and the loops between them are short.
    std::string areShort() const { return known_ + "hpspmd::detail::areShort(" + bounds_ + ")"; }
    bool isTaken() const { return areConstant_ && isNear_; }

    NodePtr rewriteFor(NodePtr statement) override {
        const auto loop = analysis::countingLoop(statement);
        if (!loop || !analysis::isOfCompileTime(loop->first) ||
            !analysis::isOfCompileTime(loop->bound))
            areConstant_ = false;
        if (!areConstant_) return statement;
        for (const NodePtr bound : {loop->first, loop->bound}) {
            const std::string text = ast::print(bound);
            if (!analysis::constantValue(bound)) known_ += "__builtin_constant_p(" + text + ") && ";
            bounds_ += (bounds_.empty() ? "" : ", ") + text;
        }
        return context_.statement("HPSPMD_UNROLLED(16)\n$loop;",
                                  {{"$loop", rewriteChildren(statement)}}, statement);
    }

    NodePtr rewriteCall(NodePtr call) override {
        const auto arguments = call->child(ast::Call::arguments)->children();
        const auto row =
            arguments.size() == 1 && ast::print(call->child(ast::Call::callee)) == operands_ + ".at"
                ? far_.find(ast::print(arguments[0]))
                : far_.end();
        if (row == far_.end()) return rewriteChildren(call);
        isNear_ = true;
        const auto& [start, distance] = row->second;
        const bool isPlain = distance[0] == '+' && distance.find(' ', 2) == distance.npos;
        const std::string by = isPlain ? distance.substr(2) : "hpspmd::Index(0) " + distance;
        return context_.expression("$o.at($start, $by)",
                                   {{"$o", context_.identifier(operands_, call)},
                                    {"$start", context_.identifier(start, call)},
                                    {"$by", context_.identifier(by, call)}},
                                   call);
    }

private:
    Context& context_;
    const std::string& operands_;
    const std::map<std::string, FarRow>& far_;
    std::string bounds_, known_;
    bool areConstant_ = true, isNear_ = false;
};

}  // namespace

NodePtr overLoops(Context& context, ast::Bindings row, const std::vector<NodePtr>& declarations,
                  NodePtr value, const std::string& operands,
                  const std::map<std::string, FarRow>& far, bool isInPlace) {
    if (!isInPlace)
        if (const NodePtr columns =
                overFarColumns(context, row, declarations, value, operands, far))
            return columns;
    NearLoops loops(context, operands, far);
    std::vector<NodePtr> numbers;
    for (const NodePtr each : declarations) numbers.push_back(loops.rewrite(each));
    if (!loops.isTaken()) return nullptr;
    for (auto& [name, bound] : row)
        if (name == "$numbers") bound = numbers;
    const NodePtr origin = declarations.front();
    const std::string how = std::string(isInPlace ? "true" : "false") + ", " + loops.areShort();
    row.emplace_back("$how", context.identifier(how, origin));
    return context.statement(
        "hpspmd::detail::eachOfLoops<$how>($row, $first, $last, [&](const auto &$operands) {\n"
        "    $numbers;\n"
        "    return $value;\n"
        "});",
        row, origin);
}

}  // namespace hpcc::nests
