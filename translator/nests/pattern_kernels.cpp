// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/pattern_kernels.hpp"

#include <algorithm>
#include <utility>

#include "ast/print.hpp"
#include "ast/remarks.hpp"
#include "ast/search.hpp"
#include "nests/kernel_functions.hpp"
#include "nests/kernel_opencl.hpp"
#include "nests/kernel_words.hpp"
#include "nests/launch.hpp"
#include "nests/nest_rewriter.hpp"
#include "source/text.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class PatternKernels : public NestRewriter {
public:
    PatternKernels(Context& context, ast::Unit& unit) : NestRewriter(context, unit, ast::call) {}

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
        const NodePtr function = arguments[0];
        return isMap(callee->symbol) &&
                       ast::isAny<ast::Lambda, ast::Identifier, ast::QualifiedName>(function)
                   ? function
                   : nullptr;
    }

    /// By whatever name: no other function of the libraries is called so.
    static bool isMap(const ast::Symbol* symbol) {
        return symbol && !symbol->declaration && symbol->kind == ast::SymbolKind::Function &&
               symbol->name == "map";
    }

    /// The call again, with the text of its function; as it is if that has none.
    NodePtr withKernel(NodePtr call, NodePtr rewritten, NodePtr function) {
        const std::string name = context.names.name(kernelName(call), plans.kernelNames);
        KernelFunctions functions(context, plans, call, name);
        const auto written = functions.ofPattern(function);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&written)) {
            if (remarks)
                remarks->missed("devices", call, "this pattern runs on the host", obstacle->place,
                                "because it " + obstacle->reason);
            return rewritten;
        }
        Obstacle unsaid = notOpenCl(functions.definitions());
        if (!unsaid.place) unsaid = functions.records.notOpenCl();
        const PatternFunction& made = std::get<PatternFunction>(written);
        for (const Captured& each : made.captured)
            if (!unsaid.place && each.rank > 0 && !isOpenClElement(each.word))
                unsaid = {function, "captures an array of type " + quoted(each.word)};
        remark(call, unsaid);
        plans.kernels.push_back("HPSPMD_STAGE(" + name + ", " +
                                (unsaid.place ? ast::stringLiteral(unsaid.reason) : "nullptr") +
                                ", (" + functions.records.text() + functions.text() + "), " +
                                made.name + ")");
        return context.expression(
            "$map(hpspmd::patterns::detail::withKernel<&hpspmd::kernels::" + made.name +
                (made.isInstance ? ", true" : "") + ">(hpspmd::kernels::" + name + ", $function, " +
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
        std::vector<std::string> list, values;
        for (const Captured& each : captured) values.push_back(value(each));
        if (ast::is<ast::Lambda>(function))
            list = capturesAgain(function, captured);
        else
            for (const Captured& each : captured)
                list.push_back((each.isReferredTo ? "&" : "") + each.name);
        return "[" + listed(list) + "] { return std::make_tuple(" + listed(values) + "); }";
    }

    static std::string value(const Captured& each) {
        if (each.rank == 0) return each.name;
        const std::string own = each.own.empty() ? "" : "<hpspmd::kernels::" + each.own + ">";
        return "hpspmd::patterns::detail::capturedArray" + own + "(" +
               ast::stringLiteral(each.word) + ", " + each.name + ")";
    }

    /// What of a lambda's captures its kernel needs.
    static std::vector<std::string> capturesAgain(NodePtr lambda,
                                                  const std::vector<Captured>& captured) {
        std::vector<std::string> list;
        const NodePtr all = captured.empty() ? nullptr : lambda->child(ast::Lambda::captures);
        for (const NodePtr each : all ? all->children() : std::span<const NodePtr>()) {
            const bool isDefault = ast::is<ast::DefaultCapture>(each);
            const bool isUsed = isDefault || (each->child(0) &&
                                              std::ranges::find(captured, each->child(0)->text(),
                                                                &Captured::name) != captured.end());
            if (isUsed) list.push_back(ast::print(each));
        }
        return list;
    }
};

}  // namespace

ast::Unit patternKernels(ast::Unit unit, ast::Quoter& quote) {
    if (!Plans::of(unit).wantsDevices) return unit;
    return rewritten<PatternKernels>(std::move(unit), quote);
}

}  // namespace hpcc::nests
