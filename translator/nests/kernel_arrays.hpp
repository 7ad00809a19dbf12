// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/subscripts.hpp"
#include "nests/kernel_code.hpp"
#include "nests/kernel_functions.hpp"
#include "nests/kernel_words.hpp"
#include "source/line_marks.hpp"

namespace hpcc::nests {

/// How a kernel names variables and reaches elements: from one address per array and lane where all
/// subscripts are indices of mapped loops, perhaps shifted, else by subscripts written out.
class KernelArrays : public KernelCode {
public:
    KernelArrays(Context& context, KernelFunctions& functions, const Nest& nest,
                 const DeviceForm& form, const RunNames& runs, const std::vector<NodePtr>& checked)
        : KernelCode(context, functions),
          nest(nest),
          form(form),
          runs(runs),
          checked(checked),
          row(context.fresh("r")),
          beyond(context.fresh("beyond")) {
        prepareArrays();
    }

protected:
    const Loop& outermost() const { return nest.loops.front(); }
    const Loop& innermost() const { return *form.mapped.back(); }
    bool isMapped(const Loop& loop) const {
        return std::ranges::find(form.mapped, &loop) != form.mapped.end();
    }

    static uint32_t lineOf(NodePtr node) { return source::userLine(node->origin()->span()); }

    std::string variable(const Loop& loop) { return named(loop.variable); }
    std::string runOf(const Loop& loop) {
        const auto found = runs.find(&loop);
        return found != runs.end() ? found->second.run : std::string(loop.variable) + "_run";
    }

    struct ArrayUse {
        std::string name;  // in the kernel
        std::string word;  // of its elements
        bool isRead = false, isWritten = false;
        std::vector<const Loop*> moved = {};  // by dimension; empty: subscripts are written out
    };

    void prepareArrays() {
        for (const NestArray& array : nest.arrays) {
            std::string base = array.text.starts_with("this->") ? array.text.substr(6) : array.text;
            std::ranges::replace_if(
                base, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
            while (base.ends_with('_')) base.pop_back();
            base = ast::FreshNames::withoutDoubleUnderscores(base.empty() ? "a" : base);
            std::string name = base;
            for (int number = 2; !isFree(name); ++number) name = base + std::to_string(number);
            arrays.push_back({name, wordOf(array)});
            if (arrays.back().word.empty())
                fail(array.base, "reaches elements of " + quoted(array.text) +
                                     ", which are no numbers that a kernel knows");
        }
        std::vector<bool> isFirst(arrays.size(), true);
        for (const Access& access : nest.accesses) {
            ArrayUse& array = arrays[access.array];
            (access.writes ? array.isWritten : array.isRead) = true;
            const std::vector<const Loop*> moved = loopsOf(access);
            if (isFirst[access.array])
                array.moved = moved;
            else if (array.moved != moved)
                array.moved.clear();
            isFirst[access.array] = false;
        }
    }

    /// Of its elements.
    std::string wordOf(const NestArray& array) {
        const ast::Type* const type = ast::multiarrayType(array.base)->element;
        const std::string number = functions.records.numberOf(type);
        return number.empty() ? functions.records.classOf(type) : number;
    }

    /// True if there are no other names like those of its pointers and strides.
    bool isFree(const std::string& base) {
        return std::ranges::all_of(std::array{"_data", "_at", "_s0"}, [&](const char* ending) {
            return context.fresh(base + ending) == base + ending;
        });
    }

    /// The loops whose indices are its subscripts, perhaps shifted by constants; empty if others
    /// stand there, or if the access may stand before the innermost loop, where the address is
    /// made.
    std::vector<const Loop*> loopsOf(const Access& access) const {
        std::vector<const Loop*> loops;
        for (const Slot& slot : access.slots) {
            const bool isPlain = slot.loop && isMapped(*slot.loop) && !slot.distance;
            if (!isPlain) return {};
            loops.push_back(slot.loop);
        }
        const bool isInside = form.byRows || std::ranges::find(loops, &innermost()) != loops.end();
        if (!isInside) loops.clear();
        return loops;
    }

    std::string stride(size_t array, size_t r) const {
        return arrays[array].name + "_s" + std::to_string(r);
    }

    /// `AT(double, a, a_s0 * i_first + j)`
    std::string addresses() {
        std::string text;
        for (size_t k = 0; k < arrays.size(); ++k) {
            const ArrayUse& array = arrays[k];
            if (array.moved.empty()) continue;
            std::string place;
            for (size_t r = 0; r < array.moved.size(); ++r) {
                const Loop& loop = *array.moved[r];
                const bool isRow = form.byRows && &loop == &outermost();
                const std::string at = variable(loop) + (isRow ? "_first" : "");
                place += (place.empty() ? "" : " + ") +
                         (r + 1 < array.moved.size() ? stride(k, r) + " * " + at : at);
            }
            text += addressOf(array, place);
        }
        return text;
    }

    /// Of the arrays whose subscripts are written out: element 0.
    std::string origins() const {
        std::string text;
        for (const ArrayUse& array : arrays)
            if (array.moved.empty()) text += addressOf(array, "0");
        return text;
    }
    static std::string addressOf(const ArrayUse& array, const std::string& place) {
        return "AT(" + std::string(array.isWritten ? "" : "const ") + array.word + ", " +
               array.name + ", " + place + ") ";
    }

    static void add(std::string& sum, const std::string& term, bool isNegative = false) {
        if (sum.empty())
            sum = (isNegative ? "-" : "") + term;
        else
            sum += (isNegative ? " - " : " + ") + term;
    }

    /// `a_at[a_s0 * (r - 1)]`, or `a_at[a_s0 * i + k]`.
    NodePtr element(const Access& access) {
        const ArrayUse& array = arrays[access.array];
        std::string place;
        for (size_t r = 0; r < access.slots.size(); ++r) {
            const bool isLast = r + 1 == access.slots.size();
            if (array.moved.empty())
                addWritten(place, access, r, isLast);
            else
                addMoved(place, access, r, isLast);
        }
        if (place.empty()) place = "0";
        return context.identifier(array.name + "_at[" + place + "]", access.node);
    }

    void addMoved(std::string& place, const Access& access, size_t r, bool isLast) {
        const long shift = access.slots[r].shift;
        const bool isRow = form.byRows && access.slots[r].loop == &outermost();
        const std::string s = isLast ? "" : stride(access.array, r);
        const std::string distance = std::to_string(std::abs(shift));
        if (!isRow) {
            if (shift == 0) return;
            const std::string term = isLast                 ? distance
                                     : std::abs(shift) == 1 ? s
                                                            : distance + " * " + s;
            return add(place, term, shift < 0);
        }
        const std::string term = shift == 0 ? row : row + (shift < 0 ? " - " : " + ") + distance;
        add(place, isLast ? term : s + " * " + (shift == 0 ? term : "(" + term + ")"));
    }

    void addWritten(std::string& place, const Access& access, size_t r, bool isLast) {
        const Slot& slot = access.slots[r];
        const NodePtr written = subscript(slot);
        const std::string at = compact(ast::print(written)),
                          before = isLast ? "" : stride(access.array, r) + " * ";
        if (std::ranges::find(checked, slot.subscript) != checked.end())
            return add(place, before + fitting(access, r, at));
        const bool isWhole = isPrimary(written) || (isLast && isSum(written));
        add(place, before + (isWhole ? at : "(" + at + ")"));
    }

    /// `FIT(beyond, f(k), n, 1)`, of a subscript that is checked in each iteration.
    std::string fitting(const Access& access, size_t r, const std::string& subscript) {
        const std::string dimension = std::to_string(r),
                          extent = ast::print(nest.arrays[access.array].base) + ".size(" +
                                   dimension + ")";
        checks.push_back("{" + extent + ", " + dimension + ", " +
                         std::to_string(lineOf(access.node)) + "}");
        return "FIT(" + beyond + ", " + subscript + ", " + askedAtHome(extent) + ", " +
               std::to_string(checks.size()) + ")";
    }

    /// What the host gives to the kernel as a number.
    std::string askedAtHome(const std::string& inquiry) {
        std::string& name = inquiries[inquiry];
        if (name.empty()) name = context.fresh("n");
        return name;
    }

    static bool isPrimary(NodePtr e) { return ast::isPrimary(e->kind()) && !isMade(e); }
    /// Text that may hold anything.
    static bool isMade(NodePtr e) {
        return std::ranges::any_of(e->text(), [](char c) {
            return !std::isalnum(static_cast<unsigned char>(c)) && c != '_';
        });
    }
    static bool isSum(NodePtr e) {
        if (!ast::is<ast::Binary>(e)) return false;
        const std::string_view op = e->child(ast::Binary::op)->text();
        return op == "+" || op == "-" || op == "*" || op == "/" || op == "%";
    }

    NodePtr subscript(const Slot& slot) {
        if (!slot.index) return copied(slot.subscript);
        usesIndex.insert(slot.loop);
        const NodePtr origin = slot.subscript;
        const NodePtr index = context.identifier(variable(*slot.loop), origin);
        if (!slot.distance && slot.shift == 0) return index;
        const bool isNegative = slot.distance ? slot.negative : slot.shift < 0;
        const NodePtr distance =
            slot.distance ? copied(slot.distance) : context.number(std::abs(slot.shift), origin);
        return context.expression(isNegative ? "$i - ($d)" : "$i + ($d)",
                                  {{"$i", index}, {"$d", distance}}, origin);
    }

    const Nest& nest;
    const DeviceForm& form;
    const RunNames& runs;
    const std::vector<NodePtr>& checked;  // subscripts, in each iteration
    const std::string row, beyond;
    std::vector<ArrayUse> arrays;
    std::set<const Loop*> usesIndex;
    std::map<std::string, std::string> inquiries;  // by the host, and their names in the kernel
    std::vector<std::string> checks;               // of subscripts, as the host tells of them
};

}  // namespace hpcc::nests
