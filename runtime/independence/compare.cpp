// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fork.hpp"
#include "independence/layouts.hpp"
#include "independence/notes.hpp"
#include "transport/transport.hpp"

#include <hpspmd/active.hpp>
#include <hpspmd/collective.hpp>
#include <hpspmd/error.hpp>

#include <algorithm>
#include <map>

namespace hpspmd::detail {
namespace {

/// An element as all processes know it: the place of the array in the list, and global indices.
struct Place {
    Index array;
    std::vector<Index> indices;
    bool operator<(const Place& other) const {
        return array != other.array ? array < other.array : indices < other.indices;
    }
};

/// Values as bytes, one behind the other.
class Packed {
public:
    std::vector<Index> words;

    void put(Index value) { words.push_back(value); }
    void put(const std::vector<Index>& values) {
        put(static_cast<Index>(values.size()));
        words.insert(words.end(), values.begin(), values.end());
    }
    void put(const std::string& text) {
        put(static_cast<Index>(text.size()));
        words.insert(words.end(), text.begin(), text.end());
    }
    void put(const Access& access) {
        put(static_cast<Index>(access.iteration.size()));
        for (const Level& level : access.iteration) {
            put(level.run);
            put(level.index);
            put(level.isDistributed);
            put(level.variable);
        }
        put(static_cast<Index>(access.reached.begin));
        put(static_cast<Index>(access.reached.size));
        put(access.reached.part);
        put(access.writes);
        put(access.array);
        put(access.line);
        put(access.part);
    }
};

class Unpacked {
public:
    explicit Unpacked(const std::vector<Index>& words) : words_(words) {}

    bool isEmpty() const { return next_ == words_.size(); }
    Index number() { return words_[next_++]; }
    std::vector<Index> numbers() {
        std::vector<Index> result(static_cast<std::size_t>(number()));
        for (Index& each : result) each = number();
        return result;
    }
    std::string text() {
        std::string result(static_cast<std::size_t>(number()), ' ');
        for (char& each : result) each = static_cast<char>(number());
        return result;
    }
    Access access() {
        Access result;
        result.iteration.resize(static_cast<std::size_t>(number()));
        for (Level& level : result.iteration) {
            level.run = number();
            level.index = number();
            level.isDistributed = number() != 0;
            level.variable = text();
        }
        result.reached.begin = static_cast<std::size_t>(number());
        result.reached.size = static_cast<std::size_t>(number());
        result.reached.part = text();
        result.writes = number() != 0;
        result.array = text();
        result.line = static_cast<int>(number());
        result.part = number();
        return result;
    }

private:
    const std::vector<Index>& words_;
    std::size_t next_ = 0;
};

/// The processes of the active group, which have all come to the end of the nest.
class Together {
public:
    Together(const Group& group, Where where)
        : group_(group),
          where_(where),
          entered_(enter("the end of an independent overall", group, 0, where)) {}

    /// What each has given, one after the other.
    std::vector<Index> gather(const std::vector<Index>& own) const {
        const std::size_t size = static_cast<std::size_t>(group_.size());
        std::vector<std::vector<Index>> counts(size, std::vector<Index>(1)), given(size);
        exchange(countTag, {static_cast<Index>(own.size())}, counts);
        for (std::size_t k = 0; k < size; ++k)
            given[k].resize(static_cast<std::size_t>(counts[k][0]));
        exchange(wordsTag, own, given);
        std::vector<Index> all;
        for (const auto& each : given) all.insert(all.end(), each.begin(), each.end());
        return all;
    }

private:
    // Beyond those of collectives (adlib/transport/transport_traffic.cpp).
    static constexpr int countTag = 32749, wordsTag = 32750;

    /// all[k] = own of the k-th process; they have their sizes.
    void exchange(int tag, const std::vector<Index>& own,
                  std::vector<std::vector<Index>>& all) const {
        std::vector<Request> open;
        for (int k = 0; k < group_.size(); ++k) {
            std::vector<Index>& words = all[static_cast<std::size_t>(k)];
            if (k == group_.rank()) {
                words = own;
                continue;
            }
            const int process = member(group_, k);
            open.push_back(jobTransport().receive(Subject::Collectives, words.data(),
                                                  words.size() * sizeof(Index), process, tag,
                                                  where_));
            open.push_back(jobTransport().send(Subject::Collectives, own.data(),
                                               own.size() * sizeof(Index), process, tag, false,
                                               where_));
        }
        for (Waiting waiting(entered_); !areDone(open); waiting.pause([] {
                 return Awaited{0, false, true};
             })) {
        }
    }

    bool areDone(std::vector<Request>& open) const {
        bool all = true;
        for (Request& request : open) all &= jobTransport().test(request, nullptr, where_);
        return all;
    }

    Group group_;
    Where where_;
    Entered entered_;
};

/// The accesses of this process to elements of the arrays that all know.
class Known {
public:
    explicit Known(const Independence::Notes& notes) {
        for (const auto& [address, accesses] : notes.elements) {
            if (!notes.promised.empty()) {
                addPromised(notes, address, accesses);
                continue;
            }
            const ArrayLayout* const layout = layoutAt(address);
            if (layout == nullptr) continue;
            const auto& arrays = notes.arrays;
            const auto found = std::find(arrays.begin(), arrays.end(), layout->storage);
            const auto indices = layout->globalIndices(address);
            if (found == arrays.end() || !indices) continue;
            const Place place{found - arrays.begin(), *indices};
            for (const Access& access : accesses.all()) accesses_.emplace(place, access);
            if (layout->isReplicated || !layout->isOwn(address)) copies_.push_back(place);
        }
    }

    /// Those to elements of which other processes hold the original, or copies.
    std::vector<Index> toCopies() const {
        Packed packed;
        for (const Place& place : copies_) {
            const auto [begin, end] = accesses_.equal_range(place);
            for (auto each = begin; each != end; ++each) {
                packed.put(place.array);
                packed.put(place.indices);
                packed.put(each->second);
            }
        }
        return packed.words;
    }

    /// What depends on one of the accesses of others; "" if nothing does.
    std::string meetingWith(const std::vector<Index>& others) const {
        for (Unpacked unpacked(others); !unpacked.isEmpty();) {
            const Index array = unpacked.number();
            const Place place{array, unpacked.numbers()};
            const Access access = unpacked.access();
            const auto [begin, end] = accesses_.equal_range(place);
            for (auto each = begin; each != end; ++each)
                if (depend(each->second, access))
                    return describe(each->second, access, describe(place.indices));
        }
        return "";
    }

private:
    /// All processes hold all elements.
    void addPromised(const Independence::Notes& notes, const std::byte* address,
                     const ElementAccesses& accesses) {
        const PromisedArray& array = *notes.promisedAt(address);
        const Place place{&array - notes.promised.data(), array.indices(address)};
        for (const Access& access : accesses.all()) accesses_.emplace(place, access);
        copies_.push_back(place);
    }

    std::multimap<Place, Access> accesses_;
    std::vector<Place> copies_;
};

}  // namespace

void Independence::compare() {
    const Group group = apg();
    std::string found = notes_->found;
    if (group.size() > 1 && !forks::isChild()) {
        const Together together(group, notes_->where);
        const Known known(*notes_);
        const std::vector<Index> others = together.gather(known.toCopies());
        if (found.empty()) found = known.meetingWith(others);
        Packed own;
        if (!found.empty()) own.put(found);
        const std::vector<Index> all = together.gather(own.words);
        if (!all.empty()) found = Unpacked(all).text();
    }
    if (!found.empty())
        throw DependentIterations(
            (notes_->promised.empty() ? "the nest is declared [[hpspmd::independent]], but "
                                      : "this loop was divided because of a promise, but ") +
                found,
            notes_->where);
}

}  // namespace hpspmd::detail
