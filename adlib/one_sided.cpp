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
    Letters letters = {};
    std::map<int, std::vector<Expected>> expected = {};
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

/// Stores what the letters bring; true if that is anything.
bool change(const Letters& letters, char* elements, std::size_t size, Accumulate accumulate) {
    bool changes = false;
    for (const auto& [peer, letter] : letters)
        forEachAccess(
            letter, size,
            [&](const AccessHeader& header, const plan::Region& rows, const char* values) {
                changes |= header.access != Access::Get;
                if (header.access == Access::Put) unpack(elements, values, rows, size);
                if (header.access == Access::Accumulate)
                    accumulateRows(header, rows, values, elements, size, accumulate);
            });
    return changes;
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
    const Epoch epoch = std::move(open->second);
    epochs().erase(open);
    char* elements = reinterpret_cast<char*>(epoch.storage->address);
    const Letters letters = transport::deliver(entered, apg(), epoch.letters);
    Answers(elements, array.elementSize).exchange(entered, letters, epoch);
    if (change(letters, elements, array.elementSize, accumulate)) markWritten(array.layout);
}

void access(Access kind, Adlib::By by, const Operand& section, const Operand& local, Where where) {
    static const char* const names[] = {"get", "put", "accumulate"};
    const Call call{names[static_cast<int>(kind)], where};
    const auto open = epochs().find(section.storage);
    if (open == epochs().end())
        throw AdlibError(std::string(call.name) + ": the array is not between two fences", where);
    requireSameShape(call, section, local);
    for (const Map& map : local.layout)
        if (!isCollapsed(map.range))
            throw AdlibError(std::string(call.name) + ": the local array is distributed, by " +
                                 describe(map.range),
                             where);
    Epoch& epoch = open->second;
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
        std::vector<char> values(static_cast<std::size_t>(header.elements) * local.elementSize);
        pack(values.data(), local.data, part.mine, local.elementSize);
        for (const int holder : part.holders) {  // every copy of a replicated array
            std::vector<char>& letter = epoch.letters[holder];
            append(letter, header, part.theirs, section.offset);
            letter.insert(letter.end(), values.begin(), values.end());
        }
    }
}

}  // namespace hpspmd::detail
