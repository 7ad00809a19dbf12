// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/parts.hpp"

namespace hpcc::regions {
namespace {

std::string along(const std::string& function, const DividedArray& array) {
    std::string dimensions = std::to_string(array.dimension);
    for (const int each : array.further) dimensions += ", " + std::to_string(each);
    return function + "<" + dimensions + ">";
}

}  // namespace

std::string libraryCall(const std::string& function, const std::string& arguments) {
    return "hpspmd::detail::" + function + "(" + arguments + ")";
}

std::string Parts::dealt(const std::string& format, bool isStrategy, long multiple,
                         std::size_t further) {
    if (further > 0) return ", hpspmd::detail::Divided{" + std::to_string(further + 1) + "}";
    if (isStrategy)
        return ", hpspmd::detail::Strategy{\"" + format +
               "\", [&](hpspmd::Index n, int parts) { return " +
               libraryCall("cut", format + ", n, parts") + "; }}";
    if (format.empty()) return multiple == 1 ? "" : ", " + std::to_string(multiple);
    const std::size_t open = format.find('(');  // of BlockCyclicRange(8)
    const std::string arguments = open == std::string::npos ? ")" : ", " + format.substr(open + 1);
    return ", [](hpspmd::Index n, const hpspmd::Dimension& d) -> hpspmd::Range { return hpspmd::" +
           format.substr(0, open) + "(n, d" + arguments + "; }";
}

std::string Parts::source(const DividedArray& array) {
    const std::string& name = array.symbol->name;
    return array.isPointer() ? name + "_elements" : name;
}

std::string Parts::reached(const DividedArray& array, bool isOnlyRead) {
    if (isOnlyRead) return libraryCall("other", source(array));
    if (array.isInPlace()) return libraryCall("dividedRows", source(array) + array.countedBy());
    return libraryCall(along(array.isNested ? "dividedGrid" : "divided", array), source(array));
}

std::string Parts::made(const DividedArray& array) const {
    const std::string arguments = method_ + ", " + source(array) + array.countedBy();
    if (array.isInPlace()) return libraryCall("rows", arguments);
    return libraryCall(along(array.isNested ? "grid" : "part", array), arguments);
}

std::string Parts::declared(const DividedArray& array) const {
    if (array.isInPlace()) return "auto " + name(&array) + " = " + made(array) + "; ";
    std::string slots;
    for (int r = 0; r < array.rank; ++r)
        slots += (r == 0 ? "" : ",") + std::string(array.isDivided(r) ? "-" : "*");
    return array.element + " [[" + slots + "]] " + name(&array) + " = " + made(array) + "; ";
}

std::string Parts::moved(const std::string& how, const DividedArray* array,
                         const std::string& arguments) const {
    return libraryCall(how, method_ + ", " + name(array) + arguments) + "; ";
}

std::string Parts::complete(const DividedArray* array) const {
    return moved("complete", array, "");
}

std::string Parts::refresh(const DividedArray* array, std::pair<long, long> view,
                           bool isNamed) const {
    const bool isAtHome = isNamed && !array->isInPlace();
    return moved(along(isAtHome ? "refreshAtHome" : "refresh", *array), array,
                 ", " + std::to_string(view.first) + ", " + std::to_string(view.second));
}

std::string Parts::refreshTogether(const ArrayMap<std::pair<long, long>>& views,
                                   const ArraySet& wholes) const {
    if (views.size() + wholes.size() == 0) return "";
    if (views.size() + wholes.size() == 1)
        return views.empty() ? complete(*wholes.begin())
                             : refresh(views.begin()->first, views.begin()->second);
    std::map<std::string, std::string> arrays;  // by names, so that their order is always one
    for (const DividedArray* each : wholes)
        arrays[name(each)] = libraryCall("everything", method_ + ", " + name(each));
    for (const auto& [array, view] : views)
        arrays[name(array)] =
            libraryCall(along("neighbours", *array), method_ + ", " + name(array) + ", " +
                                                         std::to_string(view.first) + ", " +
                                                         std::to_string(view.second));
    std::string list;
    for (const auto& [name, text] : arrays) list += (list.empty() ? "" : ", ") + text;
    return libraryCall("fetchTogether", method_ + ", {" + list + "}") + "; ";
}

std::string Parts::refresh(const DividedArray* array, const Views& views, bool withCorners,
                           bool isNamed) const {
    std::string below, above, text;
    if (isNamed)
        text = moved("refreshAtHome<" + std::to_string(array->dimension) + ">", array, ", 0, 0");
    for (int r = 0; r < array->rank; ++r) {
        const auto found = views.find(r);
        const auto [low, high] = found == views.end() ? std::pair(0L, 0L) : found->second;
        below += (r == 0 ? "" : ", ") + std::to_string(low);
        above += (r == 0 ? "" : ", ") + std::to_string(high);
        if (found != views.end() && !withCorners)
            text += moved("refresh<" + std::to_string(r) + ">", array,
                          ", " + std::to_string(low) + ", " + std::to_string(high));
    }
    if (withCorners)
        text += moved("refreshWithCorners", array, ", {" + below + "}, {" + above + "}");
    return text;
}

std::string Parts::fetch(const DividedArray* array, const std::string& location) const {
    return moved(along("fetch", *array), array, ", " + location);
}

std::string Parts::changed(const DividedArray* array, bool isInPlace,
                           const std::string& lines) const {
    return moved(isInPlace ? "changed" : "written", array, ", " + lines);
}

std::string Parts::heldBy(const std::string& location) const {
    return "if (" + method_ + ".range()[" + location + "].held()) ";
}

std::string Parts::toldLine(const DividedArray* array, const std::string& location,
                            const std::string& numbers) const {
    const std::string tell = array->isInBlocks()
                                 ? "tellLineOfBlocks<" + std::to_string(array->dimension) + ">"
                                 : along("tellLine", *array);
    return moved(tell, array,
                 ", " + location + (numbers.empty() ? "" : ", std::tie(" + numbers + ")"));
}

std::string Parts::swapped(const DividedArray* a, const DividedArray* b) const {
    const std::string own = a->isRows ? ".elements" : "";
    return "std::swap(" + name(a) + own + ", " + name(b) + own + ");";
}

}  // namespace hpcc::regions
