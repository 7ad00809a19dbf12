// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ast/print.hpp"
#include "nests/device.hpp"
#include "nests/kernel_body.hpp"
#include "nests/kernel_complex.hpp"
#include "nests/kernel_functions.hpp"
#include "nests/kernel_opencl.hpp"
#include "nests/matrix_product.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The loops of a kernel, its parameters and its launch.
class KernelWriter : public KernelBody {
public:
    KernelWriter(Context& context, KernelFunctions& functions, const Nest& nest,
                 const DeviceForm& form, Reaches& reaches, const RunNames& runs,
                 const ArrayPairs& proven, const std::vector<NodePtr>& checked, std::string name)
        : KernelBody(context, functions, nest, form, reaches, runs, checked),
          proven_(proven),
          name_(std::move(name)) {
        for (const Reduction& each : form.division.joined) joined_.emplace(each.name);
    }

    std::variant<Kernel, Obstacle> write() {
        const std::string body = origins() + loops();
        if (!obstacle.place) requireRanges();
        for (const Reduction& each : form.division.joined)
            if (!numbers.contains(std::string(each.name))) fail(each.target, "assigns a constant");
        if (obstacle.place) return obstacle;
        Obstacle unsaid = notOpenCl(nest, functions.definitions(), form.division.joined);
        if (!unsaid.place) unsaid = functions.records.notOpenCl();
        std::vector<std::string> parameters;
        for (const KernelType& each : types()) parameters.push_back(each.parameter->name);
        return Kernel{name_,  text(body, unsaid), launch(), outermostRun(), arguments(),
                      unsaid, parameters};
    }

private:
    std::string loops() { return form.byRows ? rows() : nested(0); }

    /// What an iteration of a mapped loop declares before the next one.
    std::vector<NodePtr> declarationsOf(const Loop& loop, NodePtr& rest) const {
        std::vector<NodePtr> declarations;
        rest = bodyOf(loop);
        while (&loop != &innermost() && ast::is<ast::Compound>(rest)) {
            const auto children = rest->children();
            declarations.insert(declarations.end(), children.begin(), children.end() - 1);
            rest = children.back();
        }
        return declarations;
    }

    std::string statements(const std::vector<NodePtr>& all) {
        std::string text;
        for (const NodePtr each : all) text += ast::print(copied(each)) + " ";
        return text;
    }

    std::string bodyText() {
        const NodePtr body = bodyOf(innermost());
        if (!ast::is<ast::Compound>(body)) return ast::print(copied(body)) + " ";
        return statements({body->children().begin(), body->children().end()});
    }

    std::string rows() {
        std::string inner;
        std::vector<NodePtr> declarations;
        for (const Loop* loop : form.mapped) {
            NodePtr rest = nullptr;
            const auto more = declarationsOf(*loop, rest);
            declarations.insert(declarations.end(), more.begin(), more.end());
        }
        inner = statements(declarations) + bodyText();
        std::string globals;
        for (const Loop* loop : form.mapped) globals += globalOf(*loop);
        const std::string i = variable(outermost());
        const bool needsIndex =
            usesIndex.contains(&outermost()) || usesGlobal.contains(&outermost());
        const size_t last = form.mapped.size() - 1;
        std::string text = "COLUMNS(" + head(innermost()) + ") ";
        if (last == 2) text += "MIDDLE(" + head(*form.mapped[1]) + ") ";
        text += "ROWS_OF(" + i + ", " + runOf(outermost()) + ", " + std::to_string(last) + ") { ";
        text += addresses() + "EACH_ROW(" + row + ", " + i + ") { ";
        if (needsIndex) text += "const Index " + i + " = " + i + "_first + " + row + "; ";
        return text + globals + inner + "} }";
    }

    /// `j, j_run, 1`
    std::string head(const Loop& loop) {
        return variable(loop) + ", " + runOf(loop) + ", " + std::to_string(loop.step);
    }

    std::string nested(size_t depth) {
        const Loop& loop = *form.mapped[depth];
        const size_t last = form.mapped.size() - 1;
        std::string inside;
        if (depth == last) {
            inside = bodyText();
            inside = globalOf(loop) + addresses() + inside;
        } else {
            NodePtr rest = nullptr;
            const std::string declared = statements(declarationsOf(loop, rest));
            const std::string inner = nested(depth + 1);
            inside = declared + partOf(*form.mapped[depth + 1]) + inner;
            inside = globalOf(loop) + inside;
        }
        std::string text;
        if (depth == last)
            text = "COLUMNS(" + head(loop) + ")";
        else if (depth == 0)
            text = "EVERY_ROW_OF(" + variable(loop) + ", " + runOf(loop) + ", " +
                   std::to_string(last) + ", " + std::to_string(loop.step) + ")";
        else
            text = "MIDDLE(" + head(loop) + ")";
        return text + " { " + inside + "}" + (depth == 0 ? "" : " ");
    }

    /// That the parts that lanes take of ranges lie in these.
    void requireRanges() {
        for (const Loop& loop : nest.loops) {
            const auto found = runs.find(&loop);
            if (found == runs.end() || found->second.isAtEntry()) continue;
            const NodePtr triplet = tripletOf(loop);
            std::string arguments;
            for (const NodePtr end :
                 {triplet->child(ast::Triplet::low), triplet->child(ast::Triplet::high)}) {
                const NodePtr reach = end ? reaches.of(end, loop.outer) : nullptr;
                if (end && !reach) {
                    fail(end, "has a bound whose values are not known at its entry");
                    return;
                }
                arguments += ", " + (reach ? "hpspmd::detail::Reach(" + ast::print(reach) + ")"
                                           : std::string("hpspmd::detail::Reach(0)"));
            }
            conditions_.push_back("hpspmd::detail::liesIn(" + ast::print(loop.range) + arguments +
                                  ")");
        }
    }

    std::vector<const Loop*> runLoops() const {
        std::vector<const Loop*> loops;
        for (const Loop& loop : nest.loops)
            if (isMapped(loop) || loop.kind == Loop::Kind::Overall) loops.push_back(&loop);
        return loops;
    }
    bool isJoined(const std::string& name) const { return joined_.contains(name); }

    std::string text(const std::string& body, const Obstacle& unsaid) {
        std::vector<std::string> parameters;
        for (const Loop* loop : runLoops()) {
            const auto found = runs.find(loop);
            parameters.push_back("Run " +
                                 (found != runs.end() ? found->second.held : runOf(*loop)));
        }
        for (size_t k = 0; k < arrays.size(); ++k) {
            const ArrayUse& array = arrays[k];
            parameters.push_back(wayOf(k) + array.word + ", " + array.name + ")");
            for (size_t r = 0; r + 1 < rankOf(k); ++r)
                parameters.push_back("Stride " + stride(k, r));
        }
        for (const auto& [name, word] : numbers)
            if (!isJoined(name)) parameters.push_back(valueWord(word) + " " + named(name));
        for (const auto& [inquiry, name] : inquiries) parameters.push_back("Index " + name);
        std::string joins;
        for (const Reduction& each : form.division.joined) {
            const std::string word = numbers.at(std::string(each.name));
            const std::string of = "(" + word + ", " + named(each.name) + ")";
            parameters.push_back("JOINED" + of);
            joins += (joins.empty() ? "" : " ") +
                     std::string(each.op == "+"     ? "JOIN_SUM"
                                 : each.op == "max" ? "JOIN_MAX"
                                                    : "JOIN_MIN") +
                     of;
        }
        if (!checks.empty()) {
            parameters.push_back("CHECKED(" + beyond + ")");
            joins += (joins.empty() ? "" : " ") + ("TELL(" + beyond + ")");
        }
        const std::string head = name_ + ", " + std::to_string(lineOf(outermost().statement)) +
                                 ", " + std::to_string(form.mapped.size()) + ", " +
                                 literal(unsaid) + ", ",
                          code = "(" + listed(parameters) + "), " + joins + ", " + compact(body);
        const std::string& classes = functions.records.text();
        if (types().empty())
            return "HPSPMD_KERNEL(" + head + "(" + classes + functions.text() + "), " + code + ")";
        std::vector<std::string> heads, words;
        for (const KernelType& each : types()) {
            heads.push_back("class " + each.word);
            words.push_back("TYPE(" + each.word + ")");
        }
        return "HPSPMD_KERNEL_OF((" + listed(heads) + "), (" + listed(words) + "), (" + classes +
               "), " + head + "(" + functions.records.textOfTypes() + functions.text() + "), " +
               code + ")";
    }

    /// How an array is passed: INOUT is no `restrict`.
    std::string wayOf(size_t k) const {
        const ArrayUse& array = arrays[k];
        if (form.shared.contains(k)) return array.isWritten ? "INOUT(" : "INOUT(const ";
        return !array.isWritten ? "IN(" : array.isRead ? "INOUT(" : "OUT(";
    }

    const std::vector<KernelType>& types() const { return functions.records.types(); }

    /// `hpspmd::kernels::heat_22_9`; of a template what C++ finds for the types of an instance, if
    /// they are what hpcc takes them for.
    std::string kernel() const {
        const std::string kernel = "hpspmd::kernels::" + name_;
        if (types().empty()) return kernel;
        std::vector<std::string> parameters, questions;
        for (const KernelType& each : types()) {
            parameters.push_back(each.parameter->name);
            questions.push_back(question(each.word, each.parameter->name));
            if (const std::string arrays = complexArrays(each.word); !arrays.empty())
                questions.push_back("hpspmd::detail::complexNumbersOf<" + each.parameter->name +
                                    ">(" + arrays + ")");
        }
        const auto& required = functions.records.conditions();
        questions.insert(questions.end(), required.begin(), required.end());
        for (const char* const word : {"double", "float"})
            if (std::ranges::any_of(numbers, [&](const auto& n) { return n.second == word; }))
                questions.push_back(question(word, word));
        return "hpspmd::detail::kernelFor<" + kernel + "<" + listed(parameters) + ">>(" +
               listed(questions) + ")";
    }

    /// Those whose elements are std::complex<T>.
    std::string complexArrays(const std::string& word) const {
        std::vector<std::string> all;
        for (const NestArray& array : nest.arrays) {
            const ast::Type* const part = complexPart(ast::multiarrayType(array.base)->element);
            if (typeParameterOf(part) && functions.records.complexWord(part) == word)
                all.push_back(ast::print(array.base));
        }
        return listed(all);
    }

    /// `hpspmd::detail::numbersOf<T>(a, by)`: those values, and elements of those arrays, are Ts.
    std::string question(const std::string& word, const std::string& type) const {
        std::vector<std::string> all;
        for (size_t k = 0; k < arrays.size(); ++k)
            if (arrays[k].word == word) all.push_back(ast::print(nest.arrays[k].base));
        for (const auto& [name, of] : numbers)
            if (of == word) all.push_back(name);
        for (const auto& [name, of] : otherNames)
            if (of == word) all.push_back(name + "()");
        const auto premise =
            word == type ? analysis::Premise::Numbers : functions.records.premise();
        const char* const asked = premise == analysis::Premise::Numbers           ? "numbersOf<"
                                  : premise == analysis::Premise::NoNarrowNumbers ? "noNarrowOf<"
                                                                                  : "floatingOf<";
        return std::string("hpspmd::detail::") + asked + type + ">(" + listed(all) + ")";
    }

    static std::string literal(const Obstacle& unsaid) {
        return unsaid.place ? ast::stringLiteral(unsaid.reason) : "nullptr";
    }

    size_t rankOf(size_t array) const {
        for (const Access& access : nest.accesses)
            if (access.array == array) return access.slots.size();
        return 0;
    }

    std::string launch() {
        for (const auto& pair : form.apart)
            if (!proven_.contains(pair))
                conditions_.push_back("hpspmd::detail::disjoint(" +
                                      ast::print(nest.arrays[pair.first].base) + ", " +
                                      ast::print(nest.arrays[pair.second].base) + ")");
        for (const NestArray& array : nest.arrays) {
            const ast::Type* const element = ast::multiarrayType(array.base)->element;
            const std::string own = functions.records.classOf(element);
            if (!own.empty() && !typeParameterOf(complexPart(element)))
                conditions_.push_back("hpspmd::detail::liesAs<hpspmd::kernels::" + own + ">(" +
                                      ast::print(array.base) + ")");
        }
        for (const Reduction& each : form.division.joined)  // all lanes begin with it
            if (each.skipsNaN)
                conditions_.push_back("hpspmd::detail::isOrdered(" + std::string(each.name) + ")");
        std::vector<std::string> taken;
        for (size_t k = 0; k < arrays.size(); ++k)
            taken.push_back(
                "hpspmd::detail::" + std::string(arrays[k].isWritten ? "writes(" : "reads(") +
                ast::print(nest.arrays[k].base) + rowsTaken(k) + ")");
        const std::string fit = conditions_.empty() ? "true" : listed(conditions_, " && ");
        return "hpspmd::detail::deviceFor(" + kernel() + ", " + fit + ", {" + listed(taken) + "}";
    }

    /// `, {-1, 1}`: how far the first subscripts of an array are from the outermost index; of one
    /// that is written, before it where: `, 0, {-1, 1}`. "" if an iteration reaches other rows.
    std::string rowsTaken(size_t array) const {
        std::optional<long> written;
        std::pair<long, long> all{std::numeric_limits<long>::max(),
                                  std::numeric_limits<long>::min()};
        for (const Access& access : nest.accesses) {
            if (access.array != array) continue;
            const Slot* const slot = access.slots.empty() ? nullptr : &access.slots.front();
            if (!slot || !slot->index || slot->distance || slot->loop != &outermost()) return "";
            if (access.writes && written.value_or(slot->shift) != slot->shift) return "";
            if (access.writes) written = slot->shift;
            all = {std::min(all.first, slot->shift), std::max(all.second, slot->shift)};
        }
        if (all.first > all.second) return "";
        return (written ? ", " + std::to_string(*written) : "") + ", {" +
               std::to_string(all.first) + ", " + std::to_string(all.second) + "}";
    }

    /// `i_run`, and `i_run, 2` if the loop goes in steps.
    std::string outermostRun() const {
        const auto found = runs.find(&outermost());
        if (found == runs.end()) return "";
        const long step = outermost().step;
        return found->second.held + (step == 1 ? "" : ", " + std::to_string(step));
    }

    std::string arguments() {
        std::vector<std::string> all;
        for (const Loop* loop : runLoops()) {
            const auto found = runs.find(loop);
            if (found != runs.end()) {
                all.push_back(found->second.held);
            } else {
                all.push_back(valuesOf(context, *loop));
            }
        }
        for (const NestArray& array : nest.arrays) all.push_back(ast::print(array.base));
        for (const auto& [name, word] : numbers)
            if (!isJoined(name)) all.push_back(name);
        for (const auto& [inquiry, name] : inquiries) all.push_back(inquiry);
        for (const Reduction& each : form.division.joined)
            all.push_back(std::string("hpspmd::detail::") +
                          (each.op == "+"     ? "bySum("
                           : each.op == "max" ? "byMax("
                                              : "byMin(") +
                          std::string(each.name) + ")");
        if (!checks.empty())
            all.push_back("hpspmd::detail::CheckedSubscripts{{" + listed(checks) + "}}");
        return listed(all);
    }

    const ArrayPairs& proven_;
    const std::string name_;
    std::set<std::string, std::less<>> joined_;
    std::vector<std::string> conditions_;
};

}  // namespace

std::variant<Kernel, Obstacle> kernelOf(Context& context, const Plans& plans, const Nest& nest,
                                        const DeviceForm& form, Reaches& reaches,
                                        const RunNames& runs, const ArrayPairs& proven,
                                        const std::vector<NodePtr>& checked,
                                        const std::string& name) {
    ast::FreshNames::Given taken = std::exchange(context.taken, {});  // a text of its own
    KernelFunctions functions(context, plans, nest.loops.front().statement, name);
    functions.records.allow(typeParametersRound(plans, nest.loops.front().statement));
    auto kernel =
        KernelWriter(context, functions, nest, form, reaches, runs, proven, checked, name).write();
    context.taken = std::move(taken);
    return kernel;
}

}  // namespace hpcc::nests
