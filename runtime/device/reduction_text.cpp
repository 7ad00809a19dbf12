// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/reduction_text.hpp"

#include "compose.hpp"

namespace hpspmd::detail {
namespace {

/// The loops over the elements of one or two arrays of a type.
struct Loops {
    std::string parameters;  // without the last parenthesis
    std::string places, heads;
    std::string term;  // the element, or the product
};

Loops loopsOver(const std::string& type, int arrays, std::size_t loops) {
    const std::string indices = std::string("ijk").substr(0, loops);
    Loops result;
    for (std::size_t loop = 0; loop < loops; ++loop) {
        const char index = indices[loop];
        result.parameters += compose(loop == 0 ? "(" : ", ", "Run ", index, "_run");
        const std::size_t dimension = loops - 1 - loop;
        const std::string head =
            compose(index, ", ", index, "_run, ");  // the innermost loop is written first
        result.heads = (dimension == 0   ? compose("COLUMNS(", head, "1) ")
                        : dimension == 1 ? compose("EVERY_ROW_OF(", head, "1, 1) ")
                                         : compose("EVERY_ROW_OF(", head, "2, 1) ")) +
                       result.heads;
    }
    for (int k = 0; k < arrays; ++k) {
        const char array = "ab"[k];
        result.parameters += compose(", IN(", type, ", ", array, ")");
        std::string place;
        for (const char index : indices) {
            result.parameters += compose(", Index ", array, "_", index);
            place += compose(place.empty() ? "" : " + ", array, "_", index, " * ", index);
        }
        result.term += compose(k == 0 ? "" : " * ", array, "_at[", place, "]");
        result.places += compose("AT(const ", type, ", ", array, ", 0) ");
    }
    return result;
}

}  // namespace

std::string reductionText(const std::string& joins, const std::string& type, int arrays,
                          std::size_t loops) {
    const Loops over = loopsOver(type, arrays, loops);
    const std::string joined = compose("(", type, ", total)");
    const std::string taken = joins == "SUM"   ? compose("total + ", over.term)
                              : joins == "MAX" ? compose("larger(total, ", over.term, ")")
                                               : compose("smaller(total, ", over.term, ")");
    return compose(over.parameters, ", JOINED", joined, ") { ", over.places, over.heads,
                   "total = ", taken, "; JOIN_", joins, joined, " }");
}

std::string magnitudeText(const std::string& type, int arrays, std::size_t loops) {
    const Loops over = loopsOver(type, arrays, loops);
    return compose(over.parameters, ", JOINED(double, most)) { ", over.places, over.heads,
                   "{ const double x = ", over.term,
                   "; most = HPSPMD_FINITE(x) ? larger(most, magnitude(x)) : 1e300 * 1e300; } "
                   "JOIN_MAX(double, most) }");
}

/// The numbers are joined together: compilers take their time for each barrier.
std::string binsText(const std::string& type, int arrays, std::size_t loops, int lowBits) {
    const Loops over = loopsOver(type, arrays, loops);
    std::string parameters, split, given, taken;
    for (int bin = 0; bin < 3; ++bin) {
        parameters += compose(", double anchor", bin, ", double scale", bin, ", JOINED(long, high",
                              bin, "), JOINED(long, low", bin, ")");
        split += compose("{ const double part = (x + anchor", bin, ") - anchor", bin,
                         "; const long units = (long)(part * scale", bin, "); high", bin,
                         " += units >> ", lowBits, "; low", bin, " += units & ", (1 << lowBits) - 1,
                         "; x = x - part; } ");
        for (const bool isHigh : {true, false}) {
            const std::string name = compose(isHigh ? "high" : "low", bin);
            const std::string lanes = compose("lanes[", 2 * bin + !isHigh, " * HPSPMD_LANES");
            given += compose(lanes, " + HPSPMD_LANE] = ", name, "; ");
            taken += compose(name, "_pieces[HPSPMD_GROUP] = ", lanes, "]; ");
        }
    }
    return compose(over.parameters, parameters, ") { ", over.places, over.heads,
                   "{ double x = ", over.term, "; ", split,
                   "} HPSPMD_LOCAL long lanes[6 * HPSPMD_LANES]; ", given,
                   "HPSPMD_BARRIER; for (int half = HPSPMD_LANES / 2; half > 0; half >>= 1) { "
                   "if (HPSPMD_LANE < half) for (int k = 0; k < 6; ++k) "
                   "lanes[k * HPSPMD_LANES + HPSPMD_LANE] += "
                   "lanes[k * HPSPMD_LANES + HPSPMD_LANE + half]; HPSPMD_BARRIER; } "
                   "if (HPSPMD_LANE == 0) { ",
                   taken, "} }");
}

}  // namespace hpspmd::detail
