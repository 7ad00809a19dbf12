// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/one_sided.hpp>
#include <hpspmd/active.hpp>
#include <hpspmd/collective.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/ghosts.hpp>
#include <map>

#include "access_letters.hpp"
#include "checks/checks.hpp"
#include "plan/overlap.hpp"
#include "plan/remote.hpp"
#include "schedule/cache.hpp"
#include "schedule/kept.hpp"
#include "schedule/pack.hpp"
#include "transport/letters.hpp"
#include "transport/messages.hpp"

namespace hpspmd::detail {
namespace {

using transport::Letters;

/// Elements that this process will get from one holder.
struct Expected {
    plan::Region elements;
    char* local;
};

/// Elements that this process gets from itself, at an offset in the storage.
struct Own {
    plan::Copy elements;
    char* local;
    Index offset;
};

/// An array between two fences.
struct Epoch {
    StorageHandle storage;
    KeptArrays kept = {};  ///< the local arrays that will get elements
    Letters letters = {};
    std::map<int, std::vector<Expected>> expected = {};  ///< by get
    std::map<int, std::vector<Expected>> old = {};       ///< by fetchAdd, from this process too
    std::vector<Own> own = {};
};

std::map<const Storage*, Epoch>& epochs() {
    static std::map<const Storage*, Epoch> open;
    return open;
}

void accumulateRows(const AccessHeader& header, const plan::Region& rows, const char* values,
                    char* elements, std::size_t size, Accumulate accumulate) {
    plan::forEachRow(rows, [&](const auto& start, Index count, const auto& step) {
        for (Index t = 0; t < count; ++t, values += size)
            accumulate(header.by, elements + (start[0] + t * step[0]) * static_cast<Index>(size),
                       values);
    });
}

void appendRows(std::vector<char>& list, const plan::Region& rows, const char* elements,
                std::size_t size) {
    const std::size_t end = list.size();
    list.resize(end + static_cast<std::size_t>(rows.count()) * size);
    pack(list.data() + end, elements, rows, size);
}

/// What a fence changes.
struct Changes {
    bool areAny = false;
    Letters old = {};  ///< for those who fetch and add: the values that their turn has found
};

/// Stores what the letters bring, one after the other.
Changes change(const Letters& letters, char* elements, std::size_t size, Accumulate accumulate) {
    Changes changes;
    for (const auto& [peer, letter] : letters)
        forEachAccess(letter, size,
                      [&, peer = peer](const AccessHeader& header, const plan::Region& rows,
                                       const char* values) {
                          changes.areAny |= header.access != Access::Get;
                          if (header.access == Access::FetchAdd)
                              appendRows(changes.old[peer], rows, elements, size);
                          if (header.access == Access::Put)
                              unpack(elements, values, rows, size);
                          else if (bringsValues(header.access))
                              accumulateRows(header, rows, values, elements, size, accumulate);
                      });
    return changes;
}

/// Old values go to those who have asked for them, and come from those who were asked.
void tellOld(const Entered& entered, const Letters& old, const Epoch& epoch, std::size_t size) {
    static auto& messages = *new transport::Messages;
    messages.begin(entered);
    Letters told;
    for (const auto& [peer, list] : epoch.old) {
        Index count = 0;
        for (const Expected& each : list) count += each.elements.count();
        told[peer].resize(static_cast<std::size_t>(count) * size);
        if (peer != ownRank()) messages.receive(told[peer].data(), told[peer].size(), peer);
    }
    for (const auto& [peer, values] : old) {
        if (peer != ownRank())
            messages.send(values.data(), values.size(), peer);
        else
            told[peer] = values;
    }
    messages.wait();
    for (const auto& [peer, list] : epoch.old) {
        const char* values = told[peer].data();
        for (const Expected& each : list) values = unpack(each.local, values, each.elements, size);
    }
}

/// The values that travel at a closing fence, to those who asked for them and from those who were
/// asked. What is one stretch of memory goes from its place to its place.
class Answers {
public:
    Answers(char* elements, std::size_t size) : elements_(elements), size_(size) {}

    void exchange(const Entered& entered, const Letters& letters, const Epoch& epoch) {
        for (const auto& [peer, letter] : letters)
            forEachAccess(
                letter, size_,
                [&, peer = peer](const AccessHeader& header, const auto& rows, const char*) {
                    if (header.access == Access::Get) add(given_, peer, rows, elements_);
                });
        for (const auto& [peer, list] : epoch.expected)
            for (const Expected& each : list) add(wanted_, peer, each.elements, each.local);
        for (const auto& [peer, answer] : given_) show(answer);
        static auto& messages = *new transport::Messages;
        messages.begin(entered);
        for (auto& [peer, answer] : wanted_) receive(messages, answer);
        for (auto& [peer, answer] : given_) send(messages, answer);
        for (const Own& own : epoch.own)
            copyProduct(own.local, elements_ + own.offset * static_cast<Index>(size_), own.elements,
                        size_);
        messages.wait();
    }

private:
    /// Elements of this process for, or from, one process.
    struct Answer {
        transport::Peer peer;
        std::size_t size, bytes = 0;
        std::vector<std::pair<plan::Region, char*>> parts = {};
        std::vector<char> buffer = {};

        bool isStretch() const { return parts.size() == 1 && isContiguous(parts[0].first); }
        char* stretch() const {
            return parts[0].second + parts[0].first.offset[0] * static_cast<Index>(size);
        }
        char* room() {
            if (peer.link == nullptr) buffer.resize(bytes);
            return buffer.data();
        }
        void packTo(char* out) const {
            for (const auto& [region, array] : parts) out = pack(out, array, region, size);
        }
        void unpackFrom(const char* in) const {
            for (const auto& [region, array] : parts) in = unpack(array, in, region, size);
        }
        static void packAll(const void* answer, char* out) {
            static_cast<const Answer*>(answer)->packTo(out);
        }
        static void unpackAll(const void* answer, const char* in) {
            static_cast<const Answer*>(answer)->unpackFrom(in);
        }
    };

    void add(std::map<int, Answer>& answers, int peer, const plan::Region& region, char* array) {
        Answer& answer = answers.try_emplace(peer, Answer{peer, size_}).first->second;
        answer.parts.emplace_back(simplified(region), array);
        answer.bytes += static_cast<std::size_t>(region.count()) * size_;
    }

    static void show(const Answer& answer) {
        constexpr std::size_t worthwhile = std::size_t{256} << 10;
        if (answer.isStretch() && answer.peer.link != nullptr && answer.bytes >= worthwhile)
            transport::Messages::show({answer.stretch(), answer.bytes});
    }

    static void receive(transport::Messages& messages, Answer& answer) {
        if (answer.isStretch())
            messages.receive(answer.stretch(), answer.bytes, answer.peer);
        else
            messages.receive(answer.room(), answer.bytes, answer.peer,
                             {Answer::unpackAll, &answer});
    }

    static void send(transport::Messages& messages, Answer& answer) {
        if (answer.isStretch())
            messages.send(answer.stretch(), answer.bytes, answer.peer);
        else
            messages.send({Answer::packAll, &answer}, answer.room(), answer.bytes, answer.peer);
    }

    char* elements_;
    std::size_t size_;
    std::map<int, Answer> given_, wanted_;
};

/// What an access does, apart from the addresses.
struct PreparedAccess final : Prepared {
    struct Part {
        std::vector<int> holders;
        plan::Region theirs, mine;
        plan::Copy elements;
        Index rows;
    };
    std::vector<Part> parts;
};

/// Of the accesses that this process used last; others know nothing of them.
const PreparedAccess& prepared(const Operand& section, const Operand& local) {
    static auto& cache = *new ScheduleCache;
    Key key(Kind::Access);
    key.add(section.layout).add(local.layout);
    if (Prepared* const found = cache.find(key)) return static_cast<const PreparedAccess&>(*found);
    auto made = std::make_unique<PreparedAccess>();
    for (plan::RemotePart& part : plan::remoteParts(local.layout, section.layout, ownRank())) {
        const plan::Region theirs = placeOf(part.elements, plan::From);
        made->parts.push_back({std::move(part.holders), theirs, placeOf(part.elements, plan::To),
                               simplified(part.elements), rowsOf(theirs)});
    }
    return static_cast<const PreparedAccess&>(cache.insert(key, std::move(made)));
}

}  // namespace

void fence(const FencedArray& fenced, Accumulate accumulate, Where where) {
    const Call call{"fence", where};
    const Operand& array = fenced.array;
    requireContained(call, array);
    const auto open = epochs().find(array.storage);
    Key key(Kind::Fence);
    key.add(array.layout).add(open != epochs().end());
    const Entered entered = enter(call.name, apg(), key.fingerprint(), where);
    if (open == epochs().end()) {
        epochs().emplace(array.storage, Epoch{fenced.storage});
        return;
    }
    Epoch epoch = std::move(open->second);
    epochs().erase(open);
    char* elements = reinterpret_cast<char*>(epoch.storage->address);
    const Letters letters = transport::deliver(entered, apg(), epoch.letters);
    Answers(elements, array.elementSize).exchange(entered, letters, epoch);
    const Changes changes = change(letters, elements, array.elementSize, accumulate);
    tellOld(entered, changes.old, epoch, array.elementSize);
    if (changes.areAny) markWritten(array.layout);
    observeWritten(call.name, call.where, array);
    epoch.kept.release();
}

namespace {

Epoch& openEpoch(const Call& call, const Operand& section) {
    const auto open = epochs().find(section.storage);
    if (open == epochs().end())
        throw AdlibError(std::string(call.name) + ": the array is not between two fences",
                         call.where);
    return open->second;
}

void requireLocal(const Call& call, const Operand& section, const Operand& local) {
    requireSameShape(call, section, local);
    for (const Map& map : local.layout)
        if (!isCollapsed(map.range))
            throw AdlibError(std::string(call.name) + ": the " + local.role +
                                 " is distributed, by " + describe(map.range),
                             call.where);
}

/// Tells a holder what it is asked for.
void ask(Epoch& epoch, int holder, const AccessHeader& header, const plan::Region& theirs,
         Index offset, const std::vector<char>& values) {
    std::vector<char>& letter = epoch.letters[holder];
    append(letter, header, theirs, offset);
    letter.insert(letter.end(), values.begin(), values.end());
}

std::vector<char> packed(const Operand& local, const plan::Region& region) {
    std::vector<char> values(static_cast<std::size_t>(region.count()) * local.elementSize);
    pack(values.data(), local.data, region, local.elementSize);
    return values;
}

std::vector<char> repeated(const void* number, std::size_t size, Index count) {
    const char* bytes = static_cast<const char*>(number);
    std::vector<char> values;
    for (Index k = 0; k < count; ++k) values.insert(values.end(), bytes, bytes + size);
    return values;
}

}  // namespace

void access(Access kind, Adlib::By by, const Operand& section, const Operand& local, Where where) {
    static const char* const names[] = {"get", "put", "accumulate"};
    const Call call{names[static_cast<int>(kind)], where};
    Epoch& epoch = openEpoch(call, section);
    requireLocal(call, section, local);
    if (kind == Access::Get) epoch.kept.keep(local);
    for (const PreparedAccess::Part& part : prepared(section, local).parts) {
        const AccessHeader header{kind, by, part.rows, part.theirs.count()};
        if (kind == Access::Get && part.holders[0] == ownRank()) {
            epoch.own.push_back({part.elements, static_cast<char*>(local.data), section.offset});
            continue;
        }
        if (kind == Access::Get) {
            append(epoch.letters[part.holders[0]], header, part.theirs, section.offset);
            epoch.expected[part.holders[0]].push_back({part.mine, static_cast<char*>(local.data)});
            continue;
        }
        const std::vector<char> values = packed(local, part.mine);
        for (const int holder : part.holders)  // every copy of a replicated array
            ask(epoch, holder, header, part.theirs, section.offset, values);
    }
}

void fetchAdd(const Operand& old, const Operand& section, const Addend& addend, Where where) {
    const Call call{"fetchAdd", where};
    Epoch& epoch = openEpoch(call, section);
    requireLocal(call, section, old);
    if (addend.array != nullptr) requireLocal(call, section, *addend.array);
    epoch.kept.keep(old);
    std::vector<std::vector<char>> values;  // of each part, for both local arrays are cut alike
    const Operand& added = addend.array != nullptr ? *addend.array : old;
    for (const PreparedAccess::Part& part : prepared(section, added).parts)
        values.push_back(addend.array != nullptr
                             ? packed(added, part.mine)
                             : repeated(addend.number, old.elementSize, part.mine.count()));
    std::size_t k = 0;
    for (const PreparedAccess::Part& part : prepared(section, old).parts) {
        AccessHeader header{Access::FetchAdd, Adlib::By::Sum, part.rows, part.theirs.count()};
        const int teller = part.holders[0];  // all copies of an element find the same
        epoch.old[teller].push_back({part.mine, static_cast<char*>(old.data)});
        for (const int holder : part.holders) {
            ask(epoch, holder, header, part.theirs, section.offset, values[k]);
            header.access = Access::Accumulate;
        }
        ++k;
    }
}

}  // namespace hpspmd::detail
