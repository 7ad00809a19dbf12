// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/changes.hpp>

#include <adlib/reduction.hpp>
#include <hpspmd/error.hpp>

#include <algorithm>
#include <string>

namespace hpspmd::detail {
namespace {

// Elements are looked at in groups of 64. First all learn which groups someone has changed, then
// only these are sent: an owner per element, and its bytes.
constexpr Index groupSize = 64;
constexpr std::int32_t nobody = -1;

/// The first element, in the order of combining, that two processes have changed.
struct Conflict {
    Index element = -1;
    std::int32_t first = nobody, second = nobody;
};

/// Groups that someone has changed, as bits.
void uniteBits(void* left, const void* right, std::size_t bytes, const void*) {
    auto* mine = static_cast<std::uint64_t*>(left);
    const auto* other = static_cast<const std::uint64_t*>(right);
    for (std::size_t k = 0; k < bytes / sizeof(std::uint64_t); ++k) mine[k] |= other[k];
}

class Merge {
public:
    explicit Merge(const Copies& copies) : copies_(copies) {}

    std::vector<std::uint64_t> ownGroups() const {
        const Index groups = (copies_.count + groupSize - 1) / groupSize;
        std::vector<std::uint64_t> bits(static_cast<std::size_t>((groups + 63) / 64));
        for (Index g = 0; g < groups; ++g) {
            const std::size_t from = offset(g * groupSize), bytes = offset(end(g)) - from;
            if (std::memcmp(copies_.now + from, copies_.before + from, bytes) != 0)
                bits[static_cast<std::size_t>(g / 64)] |= std::uint64_t{1} << (g % 64);
        }
        return bits;
    }

    void choose(const std::vector<std::uint64_t>& bits) {
        for (Index word = 0; word < static_cast<Index>(bits.size()); ++word)
            for (Index bit = 0; bit < 64; ++bit)
                if ((bits[static_cast<std::size_t>(word)] >> bit & 1) != 0)
                    groups_.push_back(word * 64 + bit);
        for (const Index g : groups_) slots_ += end(g) - g * groupSize;
    }
    bool isChanged() const { return !groups_.empty(); }

    /// A Conflict, the owners and the elements of the chosen groups.
    std::vector<std::byte> packed(std::int32_t self) const {
        std::vector<std::byte> state(size());
        const Conflict none;
        std::memcpy(state.data(), &none, sizeof none);
        Index slot = 0;
        for (const Index g : groups_)
            for (Index k = g * groupSize; k < end(g); ++k, ++slot) {
                const std::byte* const now = copies_.now + offset(k);
                const bool differs =
                    std::memcmp(now, copies_.before + offset(k), copies_.elementSize) != 0;
                const std::int32_t owner = differs ? self : nobody;
                std::memcpy(state.data() + ownerAt(slot), &owner, sizeof owner);
                std::memcpy(state.data() + elementAt(slot), now, copies_.elementSize);
            }
        return state;
    }

    void unpack(const std::vector<std::byte>& state) const {
        Index slot = 0;
        for (const Index g : groups_)
            for (Index k = g * groupSize; k < end(g); ++k, ++slot)
                std::memcpy(copies_.now + offset(k), state.data() + elementAt(slot),
                            copies_.elementSize);
    }

    /// Takes over what the other state's owners have changed.
    static void combine(void* left, const void* right, std::size_t, const void* merge) {
        static_cast<const Merge*>(merge)->unite(static_cast<std::byte*>(left),
                                                static_cast<const std::byte*>(right));
    }

private:
    std::size_t offset(Index k) const { return static_cast<std::size_t>(k) * copies_.elementSize; }
    Index end(Index g) const { return std::min(copies_.count, (g + 1) * groupSize); }
    static std::size_t ownerAt(Index slot) {
        return sizeof(Conflict) + static_cast<std::size_t>(slot) * sizeof(std::int32_t);
    }
    std::size_t elementAt(Index slot) const { return ownerAt(slots_) + offset(slot); }
    std::size_t size() const { return elementAt(slots_); }

    void unite(std::byte* left, const std::byte* right) const {
        Conflict conflict, others;
        std::memcpy(&conflict, left, sizeof conflict);
        std::memcpy(&others, right, sizeof others);
        if (conflict.element < 0) conflict = others;
        Index slot = 0;
        for (const Index g : groups_)
            for (Index k = g * groupSize; k < end(g); ++k, ++slot) {
                std::int32_t mine = nobody, other = nobody;
                std::memcpy(&mine, left + ownerAt(slot), sizeof mine);
                std::memcpy(&other, right + ownerAt(slot), sizeof other);
                if (other == nobody) continue;
                if (mine != nobody && conflict.element < 0) conflict = {k, mine, other};
                std::memcpy(left + ownerAt(slot), &other, sizeof other);
                std::memcpy(left + elementAt(slot), right + elementAt(slot), copies_.elementSize);
            }
        std::memcpy(left, &conflict, sizeof conflict);
    }

    Copies copies_;
    std::vector<Index> groups_;
    Index slots_ = 0;  // elements of these groups
};

/// "3, 4"
std::string subscripts(const Copies& copies, Index element) {
    std::string text;
    for (int r = copies.rank; r-- > 0;) {
        const std::string one = std::to_string(element % copies.shape[r]);
        text = text.empty() ? one : one + ", " + text;
        element /= copies.shape[r];
    }
    return text;
}

}  // namespace

bool mergeChanges(const Call& call, const char* function, const Copies& copies) {
    Merge merge(copies);
    std::vector<std::uint64_t> bits = merge.ownGroups();
    if (bits.empty()) return false;
    combineOverApg(call, bits.data(), bits.size() * sizeof bits[0], {uniteBits, nullptr});
    merge.choose(bits);
    if (!merge.isChanged()) return false;
    std::vector<std::byte> state = merge.packed(ownRank());
    combineOverApg(call, state.data(), state.size(), {Merge::combine, &merge});
    Conflict conflict;
    std::memcpy(&conflict, state.data(), sizeof conflict);
    if (conflict.element >= 0)
        throw ConflictingWrites(
            std::string(function) + ": processes " +
                std::to_string(std::min(conflict.first, conflict.second)) + " and " +
                std::to_string(std::max(conflict.first, conflict.second)) +
                " both changed the element [" + subscripts(copies, conflict.element) + "]",
            call.where);
    merge.unpack(state);
    return true;
}

}  // namespace hpspmd::detail
