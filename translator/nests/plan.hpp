// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <memory>

#include "ast/unit.hpp"
#include "nests/device.hpp"
#include "nests/every_second.hpp"
#include "nests/fold.hpp"
#include "nests/fused_form.hpp"
#include "nests/kept_elements.hpp"
#include "nests/memory_order.hpp"
#include "nests/splitting.hpp"
#include "nests/threads.hpp"
#include "nests/upwards.hpp"

namespace hpcc::nests {

/// How the iterations of a loop of the fast form run.
struct Form {
    enum class Kind { InOrder, Independent, Packed, Alternate, Tiled, Lanes, Counted };
    Kind kind = Kind::InOrder;
    std::vector<Reduction> joined = {};  // numbers of which those computed at once have their own
    bool isInPieces = false;             // in each of which conditions on its variable are known
    bool repeatsRow = false;             // several change the same row at once
    bool isInBatches = false;            // that are left out if they change nothing
    ast::NodePtr meets = nullptr;        // the iteration that changes what others read; they run
                                         // before it and behind it

    /// True if a function of the library has all of them.
    bool isOneCall() const { return isInBatches || kind == Kind::Counted; }
};

/// What becomes of a nest, or of several that become one. Passes fill it, each its own part, and
/// ask it what the others have found; none looks for that in the text of the program.
struct NestPlan {
    std::vector<ast::NodePtr> members = {};  // the nests of the program that it stands for
    const Nest* whole = nullptr;             // what they compute; null if that cannot be told
    const Fused* fused = nullptr;            // how they, or loops in the only one, become one
    const Nest* nest = nullptr;              // what the fast form computes; null if there is none,
    Obstacle general = {};                   // because of this
    bool isSpare = false;                    // runs if the entry test of a plan of several says no

    std::optional<Upwards> turned = {};      // loops that go down in the program
    std::optional<MemoryOrder> order = {};   // of its loops, if not that of the program
    std::optional<EverySecond> halved = {};  // loops that compute every second iteration
    std::optional<KeptElements> kept = {};   // in variables of the fast form
    const Fold* fold = nullptr;              // sums that it adds up
    ast::NodePtr worth = nullptr;            // asked first: that there is enough to do
    std::unordered_map<const Loop*, Form> forms = {};
    std::vector<std::string> notes = {};      // what is special about the fast form, for remarks
    std::vector<const Loop*> ordered = {};    // loops that assign lasting numbers one by one
    std::vector<ast::NodePtr> checked = {};   // subscripts, in each iteration
    std::vector<ast::NodePtr> fitting = {};   // subscripts, where their loops begin
    Obstacle untiled = {};                    // what keeps its sums out of register tiles
    std::optional<Division> threads = {};     // of the outermost loop
    Obstacle unthreaded = {};                 // what keeps it in one thread
    std::optional<DeviceForm> device = {};    // on a device
    Obstacle onHost = {};                     // what keeps it on the host
    Obstacle notOpenCl = {};                  // what of its kernel OpenCL C cannot say
    std::vector<ast::NodePtr> atEntry = {};   // questions of the entry test
    NamePairs apart = {};                     // arrays that these tell apart
    std::optional<Splitting> underHalo = {};  // interior and rim, while ghost cells travel,
    std::vector<std::string> exchanged = {};  // of these arrays

    /// Declared before the fast form.
    std::vector<ast::NodePtr> stamps() const {
        return fused ? fused->stamps : order ? order->stamps : std::vector<ast::NodePtr>();
    }
    /// Under which it computes the same, as far as the passes that changed its loops know.
    std::vector<ast::NodePtr> conditions() const {
        std::vector<ast::NodePtr> all = order ? order->conditions : std::vector<ast::NodePtr>();
        if (halved) all.insert(all.end(), halved->conditions.begin(), halved->conditions.end());
        return all;
    }

    /// Where it is written, `{ .. if (..) { stamps; call } else nest }`.
    struct Place {
        ast::NodePtr choice = nullptr;  // the If
        ast::NodePtr call = nullptr;    // of a function with the loops; null if they are a block
        std::vector<std::string> runs = {};  // of its ranges, by name, in the order of the text
    };
    Place written = {};
};

/// What passes on nests know of one outermost declaration, beside its tree.
class Plans {
public:
    /// That of a unit; made when first asked for.
    static Plans& of(ast::Unit& unit);

    /// What an `overall` computes, or why that cannot be told; found once.
    using Analysed = std::variant<Nest, Obstacle>;
    std::unordered_map<ast::NodePtr, Analysed> analysed;

    /// Nests that become one, by the statement of the first; a nest of fewer loops, by the nest.
    std::unordered_map<ast::NodePtr, Fused> groups, joined;
    std::unordered_map<ast::NodePtr, Fold> folds;  // by the nest

    const ast::Scope* scope = nullptr;    // names of the file
    ast::NodePtr root = nullptr;          // the declaration as it was before these passes
    std::vector<ast::NodePtr> templates;  // in the root

    /// Whether nests may run on devices, the kernels written so far, and their names.
    bool wantsDevices = false;
    bool callsLibraries = false;    // of devices, for products of matrices
    bool registersDevices = false;  // for such a call where there is perhaps no kernel
    std::vector<std::string> kernels;
    std::string kernelTexts;  // of all of them
    ast::FreshNames::Given kernelNames = {};

    bool wantsVectorMath = false;   // functions of the C library for several numbers at once
    bool keepsOrderOfSums = false;  // --pass=no-reductions

    /// In the order in which they were made, and by the statements that stand for them.
    std::deque<NestPlan> all;
    std::unordered_map<ast::NodePtr, NestPlan*> at;

    /// Loops whose iterations may be computed at once, by their marks.
    struct Mark {
        std::string_view variable;
        const Form* form;
        bool mayBeTurned = false;  // goes down, and may go up if its order does not matter
        bool mayBeLong = false;    // and the library can go over its first iterations
    };
    std::unordered_map<ast::NodePtr, Mark> marks;
};

/// What the table holds for a statement; null if it holds nothing.
template <class Table>
const auto* lookUp(const Table& table, ast::NodePtr statement) {
    const auto found = table.find(statement);
    return found == table.end() ? nullptr : &found->second;
}

/// The plans as text: one block for each nest, or for nests that become one.
///
///     nests at 12:5, 15:5 as one, 2 loops in common
///         elements of t: in a variable
///         i: one after the other
///         j: independent, joining + sum
///         threads: i divided, joining + sum
///         asks: i_run
///         asks: ready(a, {over(x, -1, 1), over(y)})
std::string printed(const Plans& plans);

}  // namespace hpcc::nests
