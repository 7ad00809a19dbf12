// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/device.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

#include "analysis/numbers.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/independence.hpp"
#include "nests/kernel_complex.hpp"
#include "nests/kernel_records.hpp"
#include "nests/kernel_templates.hpp"
#include "nests/scratch.hpp"
#include "source/line_marks.hpp"
#include "source/text.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

constexpr size_t mostMapped = 3;

bool isWritten(const Nest& nest, size_t array) {
    return std::ranges::any_of(nest.accesses, [&](const Access& access) {
        return access.array == array && access.writes;
    });
}

/// Finds the loops that lanes compute.
class Mapping {
public:
    Mapping(const Nest& nest, const Reaches& reaches) : nest_(nest), reaches_(reaches) {}

    std::variant<DeviceForm, Obstacle> take() {
        // A part of an element of an unknown class counts as memory out of sight.
        if (nest_.loops.front().touchesForeign) requireElements();
        if (obstacle_.place) return obstacle_;
        auto division = divisionOf(nest_, reaches_, Joinable::OfTemplates);
        if (Obstacle* obstacle = std::get_if<Obstacle>(&division)) return *obstacle;
        form_.division = std::get<Division>(std::move(division));
        form_.apart = form_.division.apart;
        for (const Reduction& each : form_.division.joined)
            if (each.op == "*") fail(each.target, "multiplies numbers of several iterations");
        requireArrays();
        requireLoops();
        if (obstacle_.place) return obstacle_;
        for (const Loop* loop = &nest_.loops.front(); loop; loop = soleInner(*loop)) {
            form_.mapped.push_back(loop);
            if (form_.mapped.size() == mostMapped) break;
        }
        separateArrays();
        form_.byRows = form_.mapped.size() > 1 && nest_.loops.front().step == 1 && !isInPlace() &&
                       std::ranges::all_of(form_.mapped,
                                           [&](const Loop* loop) { return hasFixedEnds(*loop); });
        return form_;
    }

private:
    void fail(NodePtr place, std::string reason) {
        if (!obstacle_.place) obstacle_ = {place, std::move(reason)};
    }

    void requireElements() {
        for (const NestArray& array : nest_.arrays) {
            const ast::Type* const element = ast::multiarrayType(array.base)->element;
            const auto record = recordOf(element);
            const std::string* const reason = std::get_if<std::string>(&record);
            if (numberWord(element).empty() && !complexPart(element) && reason &&
                !typeParameterOf(element))
                fail(array.base, "reaches elements of " + quoted(array.text) + ", " + *reason);
        }
    }

    void requireArrays() {
        requireElements();
        for (const Access& access : nest_.accesses)
            for (const Slot& slot : access.slots)
                if (slot.index && !slot.loop)
                    fail(access.node, "uses an index of a construct round it");
        if (nest_.callsForeign) fail(nest_.loops.front().statement, "calls code that is not known");
        ast::anywhere(nest_.loops.front().statement, [this](NodePtr each) {
            if (ast::is<ast::Call>(each) && ast::asksContainer(each))
                fail(each, "asks a container how many elements it has");
            if (ast::is<ast::Declaration>(each) && declaresVectors(each))
                fail(each, "declares a variable that is no plain value");
            return false;
        });
    }

    void requireLoops() {
        for (const Loop& loop : nest_.loops)
            if (loop.kind == Loop::Kind::Overall && !hasFixedEnds(loop)) {
                const NodePtr step = tripletOf(loop)->child(ast::Triplet::step);
                if (step && !ast::asConstant(step)) fail(step, "has a step that is no constant");
            }
    }

    bool hasFixedEnds(const Loop& loop) const {
        if (loop.kind == Loop::Kind::Counting)
            return reaches_.isFixed(loop.first) && reaches_.isFixed(loop.end);
        return std::ranges::all_of(tripletOf(loop)->children(),
                                   [&](NodePtr part) { return reaches_.isFixed(part); });
    }

    /// The loop that is all that an iteration of this one does, but for declarations; null if there
    /// is none, or if its iterations must keep their order.
    const Loop* soleInner(const Loop& loop) {
        NodePtr body = bodyOf(loop);
        while (ast::is<ast::Compound>(body)) {
            const auto children = body->children();
            if (children.empty()) return nullptr;
            for (const NodePtr each : children.first(children.size() - 1))
                if (!ast::is<ast::Declaration>(each)) return nullptr;
            body = children.back();
        }
        const auto found = nest_.loopOf.find(body);
        if (found == nest_.loopOf.end()) return nullptr;
        const Loop& inner = *found->second;
        return isFree(inner) ? &inner : nullptr;
    }

    bool isFree(const Loop& loop) {
        if (loop.kind == Loop::Kind::Other || loop.jumps || loop.touchesForeign) return false;
        if (loop.kind == Loop::Kind::Counting &&
            (loop.step < 0 || !(hasFixedEnds(loop) && countsSigned(loop))))
            return false;
        for (const std::string_view name : lastingIn(loop))
            if (std::ranges::find(form_.division.joined, name, &Reduction::name) ==
                form_.division.joined.end())
                return false;
        ArrayPairs apart = form_.apart;
        if (meetingIn(nest_, loop, apart).write || apart.size() > mostArrayPairs) return false;
        form_.apart = std::move(apart);
        return true;
    }

    static bool countsSigned(const Loop& loop) {
        const NodePtr type = counterType(loop);
        const ast::NumberType number = type ? ast::numberNamed(type->text()) : ast::NumberType();
        return number.bits > 0 && number.isSigned;
    }

    bool isInPlace() const {
        return std::ranges::any_of(nest_.accesses, [&](const Access& access) {
            return !access.writes && isWritten(nest_, access.array);
        });
    }

    /// Pointers to arrays that are written are `restrict`, but for a part of what is read by its
    /// whole, if the program promises that no iteration reaches what another one writes.
    void separateArrays() {
        for (size_t a = 0; a < nest_.arrays.size(); ++a)
            for (size_t b = 0; b < a; ++b) {
                if (!isWritten(nest_, a) && !isWritten(nest_, b)) continue;
                if (nest_.isPromised && (isPartOf(a, b) || isPartOf(b, a)))
                    form_.shared.insert({a, b});
                else
                    form_.apart.insert({b, a});
            }
    }

    /// True if the one is the divided part of the other that a method, or a marked loop, has made.
    bool isPartOf(size_t part, size_t whole) const {
        const NodePtr base = nest_.arrays[part].base;
        const ast::Symbol* const symbol = ast::is<ast::Identifier>(base) ? base->symbol : nullptr;
        if (!symbol || !ast::is<ast::EqualInitializer>(symbol->initializer)) return false;
        const std::string made =
            ast::print(symbol->initializer->child(ast::EqualInitializer::value));
        return made.starts_with("hpspmd::detail::part<") &&
               made.ends_with(", " + nest_.arrays[whole].text + ")");
    }

    const Nest& nest_;
    const Reaches& reaches_;
    DeviceForm form_;
    Obstacle obstacle_;
};

/// "unsigned long int"
bool isBuiltIn(const std::string& words) {
    static const std::set<std::string_view> known = {"unsigned", "signed", "char",
                                                     "short",    "int",    "long"};
    std::istringstream in(words);
    for (std::string word; in >> word;)
        if (!known.contains(word)) return false;
    return true;
}

/// What `std::int64_t` and the like are names for.
std::string builtIn(ast::NumberType number) {
    const std::string sign = number.isSigned ? "" : "unsigned ";
    switch (number.bits) {
    case 8:
        return number.isSigned ? "signed char" : "unsigned char";
    case 16:
        return sign + "short";
    case 32:
        return sign + "int";
    default:
        return sign + "long";
    }
}

}  // namespace

std::variant<DeviceForm, Obstacle> deviceFormOf(const Nest& nest, const Reaches& reaches) {
    return Mapping(nest, reaches).take();
}

std::string askingHome(const Nest& nest) {
    std::vector<std::string> taken;
    for (size_t k = 0; k < nest.arrays.size(); ++k)
        taken.push_back(
            "hpspmd::detail::" + std::string(isWritten(nest, k) ? "writes(" : "reads(") +
            ast::print(nest.arrays[k].base) + ")");
    return "hpspmd::detail::atHome({" + listed(taken) + "})";
}

std::string kernelName(const Nest& nest) { return kernelName(nest.loops.front().statement); }

std::string kernelName(ast::NodePtr place) {
    const source::Span span = place->origin()->span();
    const source::Position at = span.text->position(span.begin);
    std::string file(span.text->path());
    file = file.substr(file.rfind('/') + 1);
    if (file.ends_with(".hpcpp")) file.erase(file.size() - 6);  // an .hph may have the same stem
    std::ranges::replace_if(
        file, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    if (file.empty() || !std::isalpha(static_cast<unsigned char>(file[0]))) file = "nest_" + file;
    return file + "_" + std::to_string(source::userLine(span)) + "_" + std::to_string(at.column);
}

std::string numberWord(const ast::Type* type) {
    if (!analysis::isNumber(type) || type->isDependent) return "";
    std::string word = type->spelled;
    for (const std::string_view qualifier : {"const ", "hpspmd::"})
        if (word.starts_with(qualifier)) word.erase(0, qualifier.size());
    if (type->isReference) {
        while (!word.empty() && (word.back() == '&' || word.back() == ' ')) word.pop_back();
    }
    if (word.ends_with(" const")) word.erase(word.size() - 6);
    if (word == "double" || word == "float" || word == "bool") return word;
    const ast::NumberType number = ast::numberNamed(word);
    if (type->kind != ast::TypeKind::Integer || number.bits == 0) return "";
    return word == "Index" || isBuiltIn(word) ? word : builtIn(number);
}

}  // namespace hpcc::nests
