#include <adlib/one_sided.hpp>
#include <cstring>
#include <hpspmd/active.hpp>
#include <hpspmd/collective.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/ghosts.hpp>
#include <map>

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

/// What an access tells a holder: this, then the rows of elements, then the values if it brings
/// some. Offsets count from the beginning of the array's storage, the same on all processes.
struct Header {
    Access access;
    Adlib::By by;
    Index rows, elements;
};
struct RemoteRow {
    Index start, count, step;
};

/// Elements that this process will get from one holder.
struct Expected {
    plan::Region elements;
    char* local;
};

/// An array between two fences.
struct Epoch {
    StorageHandle storage;
    Letters letters;
    std::map<int, std::vector<Expected>> expected;
};

std::map<const Storage*, Epoch>& epochs() {
    static std::map<const Storage*, Epoch> open;
    return open;
}

template <class T>
void append(std::vector<char>& letter, const T& value) {
    const char* bytes = reinterpret_cast<const char*>(&value);
    letter.insert(letter.end(), bytes, bytes + sizeof value);
}

plan::Region placeOf(const plan::Product<2>& elements, plan::Place place) {
    plan::Region region{{elements.offset[place]}, {}};
    for (const plan::Runs<2>& runs : elements.dims) {
        plan::Runs<1>& list = region.dims.emplace_back();
        for (const plan::Run<2>& run : runs)
            list.push_back({run.count, {run.base[place]}, {run.step[place]}});
    }
    return simplified(region);
}

/// Writes to a holder.
void write(std::vector<char>& letter, const Header& header, const plan::Region& theirs,
           Index offset) {
    append(letter, header);
    plan::forEachRow(theirs, [&](const auto& start, Index count, const auto& step) {
        append(letter, RemoteRow{offset + start[0], count, step[0]});
    });
}

Index rowsOf(const plan::Region& region) {
    Index rows = 0;
    plan::forEachRow(region, [&](const auto&, Index, const auto&) { ++rows; });
    return rows;
}

/// Reads what write() wrote.
class Reader {
public:
    explicit Reader(const std::vector<char>& letter)
        : at_(letter.data()), end_(letter.data() + letter.size()) {}

    bool isAtEnd() const { return at_ == end_; }
    template <class T>
    T next() {
        T value;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    const char* skip(std::size_t bytes) { return std::exchange(at_, at_ + bytes); }

private:
    const char *at_, *end_;
};

/// Calls take(header, rows, values) for each access of a letter.
template <class Take>
void forEachAccess(const std::vector<char>& letter, std::size_t elementSize, const Take& take) {
    Reader reader(letter);
    while (!reader.isAtEnd()) {
        const auto header = reader.next<Header>();
        plan::Region rows{{0}, {{}}};
        for (Index k = 0; k < header.rows; ++k) {
            const auto row = reader.next<RemoteRow>();
            rows.dims[0].push_back({row.count, {row.start}, {row.step}});
        }
        const bool bringsValues = header.access != Access::Get;
        const std::size_t bytes = static_cast<std::size_t>(header.elements) * elementSize;
        take(header, rows, reader.skip(bringsValues ? bytes : 0));
    }
}

void accumulateRows(const Header& header, const plan::Region& rows, const char* values,
                    char* elements, std::size_t size, Accumulate accumulate) {
    plan::forEachRow(rows, [&](const auto& start, Index count, const auto& step) {
        for (Index t = 0; t < count; ++t, values += size)
            accumulate(header.by, elements + (start[0] + t * step[0]) * static_cast<Index>(size),
                       values);
    });
}

/// The values that each process asked for, by process.
Letters answers(const Letters& letters, const void* elements, std::size_t size) {
    Letters result;
    for (const auto& [peer, letter] : letters)
        forEachAccess(letter, size,
                      [&, peer = peer](const Header& header, const auto& rows, const char*) {
                          if (header.access != Access::Get) return;
                          std::vector<char>& answer = result[peer];
                          const std::size_t before = answer.size();
                          answer.resize(before + static_cast<std::size_t>(header.elements) * size);
                          pack(answer.data() + before, elements, rows, size);
                      });
    return result;
}

/// Stores what the letters bring; true if that is anything.
bool change(const Letters& letters, char* elements, std::size_t size, Accumulate accumulate) {
    bool changes = false;
    for (const auto& [peer, letter] : letters)
        forEachAccess(letter, size,
                      [&](const Header& header, const plan::Region& rows, const char* values) {
                          changes |= header.access != Access::Get;
                          if (header.access == Access::Put) unpack(elements, values, rows, size);
                          if (header.access == Access::Accumulate)
                              accumulateRows(header, rows, values, elements, size, accumulate);
                      });
    return changes;
}

/// Exchanges the answers and stores them where they were asked for.
void fetch(const Entered& entered, const Epoch& epoch, Letters given, std::size_t size) {
    Letters arrived;
    transport::Messages messages;
    messages.begin(entered);
    for (const auto& [peer, list] : epoch.expected) {
        Index count = 0;
        for (const Expected& each : list) count += each.elements.count();
        std::vector<char>& answer = arrived[peer];
        if (peer == ownRank()) {
            answer = std::move(given[peer]);
            continue;
        }
        answer.resize(static_cast<std::size_t>(count) * size);
        messages.receive(answer.data(), answer.size(), peer);
    }
    for (const auto& [peer, answer] : given)
        if (peer != ownRank()) messages.send(answer.data(), answer.size(), peer);
    messages.wait();
    for (const auto& [peer, list] : epoch.expected) {
        const char* in = arrived[peer].data();
        for (const Expected& each : list) in = unpack(each.local, in, each.elements, size);
    }
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
        epochs().emplace(array.storage, Epoch{fenced.storage, {}, {}});
        return;
    }
    const Epoch epoch = std::move(open->second);
    epochs().erase(open);
    char* elements = reinterpret_cast<char*>(epoch.storage->address);
    const Letters letters = transport::deliver(entered, apg(), epoch.letters);
    fetch(entered, epoch, answers(letters, elements, array.elementSize), array.elementSize);
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
    for (const plan::RemotePart& part :
         plan::remoteParts(local.layout, section.layout, ownRank())) {
        const plan::Region theirs = placeOf(part.elements, plan::From);
        const plan::Region mine = placeOf(part.elements, plan::To);
        const Header header{kind, by, rowsOf(theirs), theirs.count()};
        if (kind == Access::Get) {
            write(epoch.letters[part.holders[0]], header, theirs, section.offset);
            epoch.expected[part.holders[0]].push_back({mine, static_cast<char*>(local.data)});
            continue;
        }
        std::vector<char> values(static_cast<std::size_t>(mine.count()) * local.elementSize);
        pack(values.data(), local.data, mine, local.elementSize);
        for (const int holder : part.holders) {  // every copy of a replicated array
            std::vector<char>& letter = epoch.letters[holder];
            write(letter, header, theirs, section.offset);
            letter.insert(letter.end(), values.begin(), values.end());
        }
    }
}

}  // namespace hpspmd::detail
