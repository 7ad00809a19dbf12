// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/pattern_kernels.hpp"

#include <algorithm>
#include <utility>

#include "ast/print.hpp"
#include "ast/remarks.hpp"
#include "ast/search.hpp"
#include "nests/kernel_functions.hpp"
#include "nests/kernel_opencl.hpp"
#include "nests/launch.hpp"
#include "nests/nest_rewriter.hpp"
#include "source/text.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool holds(const ast::Unit& unit, std::string_view text) {
    return unit.text->content().find(text) != std::string_view::npos;
}

class PatternKernels : public NestRewriter {
public:
    PatternKernels(Context& context, ast::Unit& unit)
        : NestRewriter(context, unit, ast::call),
          isBrought_(holds(unit, "using namespace hpspmd::patterns") ||
                     holds(unit, "using hpspmd::patterns::map")) {}

    NodePtr rewriteTranslationUnit(NodePtr unit) override {
        for (size_t k = 0; k < unit->children().size(); ++k)
            unit = withKernels(context, plans, unit, k, rewrite(unit->children()[k]));
        return unit;
    }

    NodePtr rewriteCall(NodePtr call) override {
        const NodePtr result = rewriteChildren(call);
        const NodePtr function = functionOf(call);
        if (!function) return result;
        ast::FreshNames::Given taken = std::exchange(context.taken, {});  // a text of its own
        const NodePtr made = withKernel(call, result, function);
        context.taken = std::move(taken);
        return made;
    }

private:
    /// That of map(function); null if it is another call.
    NodePtr functionOf(NodePtr call) const {
        const NodePtr callee = call->child(ast::Call::callee);
        const auto arguments = call->child(ast::Call::arguments)->children();
        if (arguments.size() != 1 || !arguments[0]) return nullptr;
        const std::string name = ast::print(callee);
        const bool isMap = name == "hpspmd::patterns::map" || name == "patterns::map" ||
                           (name == "map" && isBrought_ && !isOther(callee));
        const NodePtr function = arguments[0];
        return isMap && ast::isAny<ast::Lambda, ast::Identifier, ast::QualifiedName>(function)
                   ? function
                   : nullptr;
    }

    /// A function or variable of this file.
    static bool isOther(NodePtr callee) {
        const ast::Symbol* symbol = callee->symbol;
        return symbol && symbol->declaration &&
               ast::isAny<ast::FunctionDefinition, ast::InitDeclarator, ast::Parameter,
                          ast::Declaration>(symbol->declaration);
    }

    /// The call again, with the text of its function; as it is if that has none.
    NodePtr withKernel(NodePtr call, NodePtr rewritten, NodePtr function) {
        const std::string name = context.names.name(kernelName(call), plans.kernelNames);
        KernelFunctions functions(context, plans, call, name);
        const auto written = functions.ofPattern(function);
        Obstacle obstacle;
        if (const Obstacle* found = std::get_if<Obstacle>(&written))
            obstacle = *found;
        else if (!ast::is<ast::Lambda>(function) &&
                 !std::get<PatternFunction>(written).captured.empty())
            obstacle = {function, "is a lambda of another place, which captures " +
                                      quoted(std::get<PatternFunction>(written).captured[0].name)};
        if (obstacle.place) {
            if (remarks)
                remarks->missed("devices", call, "this pattern runs on the host", obstacle.place,
                                "because it " + obstacle.reason);
            return rewritten;
        }
        Obstacle unsaid = notOpenCl(functions.definitions());
        if (!unsaid.place) unsaid = functions.records.notOpenCl();
        remark(call, unsaid);
        const PatternFunction& made = std::get<PatternFunction>(written);
        plans.kernels.push_back("HPSPMD_STAGE(" + name + ", " +
                                (unsaid.place ? ast::stringLiteral(unsaid.reason) : "nullptr") +
                                ", (" + functions.records.text() + functions.text() + "), " +
                                made.name + ")");
        return context.expression("$map(hpspmd::patterns::detail::withKernel<&hpspmd::kernels::" +
                                      made.name + ">(hpspmd::kernels::" + name + ", $function, " +
                                      captures(function, made.captured) + "))",
                                  {{"$map", rewritten->child(ast::Call::callee)},
                                   {"$function", rewritten->child(ast::Call::arguments)->child(0)}},
                                  call);
    }

    void remark(NodePtr call, const Obstacle& unsaid) {
        if (!remarks) return;
        remarks->fired("devices", call, "the function of this pattern is a part of kernels");
        if (unsaid.place)
            remarks->missed("devices", call, "this kernel has no form in OpenCL C", unsaid.place,
                            "because it " + unsaid.reason);
    }

    /// `[alpha] { return std::make_tuple(alpha); }`: what the lambda captures, at each use.
    static std::string captures(NodePtr function, const std::vector<Captured>& captured) {
        std::vector<std::string> list, names;
        for (const Captured& each : captured) names.push_back(each.name);
        const NodePtr all = names.empty() ? nullptr : function->child(ast::Lambda::captures);
        for (const NodePtr each : all ? all->children() : std::span<const NodePtr>()) {
            const bool isDefault = ast::is<ast::DefaultCapture>(each);
            const bool isUsed =
                isDefault ||
                (each->child(0) && std::ranges::find(names, each->child(0)->text()) != names.end());
            if (isUsed) list.push_back(ast::print(each));
        }
        return "[" + listed(list) + "] { return std::make_tuple(" + listed(names) + "); }";
    }

    const bool isBrought_;
};

}  // namespace

ast::Unit patternKernels(ast::Unit unit, ast::Quoter& quote) {
    if (!Plans::of(unit).wantsDevices || !holds(unit, "<hpspmd/patterns.hpp>")) return unit;
    return rewritten<PatternKernels>(std::move(unit), quote);
}

}  // namespace hpcc::nests
