// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watch/board.hpp"

#include "arena.hpp"
#include "fork.hpp"

#include <cstring>
#include <new>
#include <unordered_map>

namespace hpspmd::detail {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// Copies texts to the board, once each; the last ones asked for are found by their address alone.
class Texts {
public:
    struct Entry {
        const char* text = nullptr;
        std::int32_t index = 0;
        Fingerprint fingerprint = 0;
    };

    const Entry& operator()(const char* text) {
        Entry& recent = recent_[(reinterpret_cast<std::uintptr_t>(text) >> 2) % recentCount];
        if (recent.text != text) recent = find(text);
        return recent;
    }

private:
    static constexpr std::size_t recentCount = 64;

    const Entry& find(const char* text) {
        Entry& entry = byAddress_[text];
        if (entry.text == nullptr) entry = {text, copy(text), mixed(0, text)};
        return entry;
    }

    // Text 0 is empty: it stands for those that found no room. Of long ones the end is kept.
    std::int32_t copy(const char* text) {
        const auto [entry, isNew] = known_.try_emplace(text, 0);
        if (!isNew || known_.size() >= Board::textCount) return entry->second;
        entry->second = static_cast<std::int32_t>(known_.size());
        const std::size_t length = std::strlen(text);
        const std::size_t kept = std::min(length, Board::textLength - 1);
        std::memcpy(ownBoard().texts[entry->second], text + length - kept, kept);
        return entry->second;
    }

    Entry recent_[recentCount];
    std::unordered_map<const char*, Entry> byAddress_;
    std::unordered_map<std::string, std::int32_t> known_;
};

Board::Count& countOf(const GroupRecord& group) {
    static Board::Count& leftOut = *new Board::Count{};
    for (Board::Count& count : ownBoard().counts) {
        const std::uint64_t print = count.group.load(relaxed);
        if (print != 0 && print != group.fingerprint) continue;
        count.group.store(group.fingerprint, std::memory_order_release);
        return count;
    }
    ownBoard().groupsLeftOut.store(1, std::memory_order_release);
    return leftOut;
}

std::string textOf(const Board& board, std::int32_t index) {
    return board.texts[static_cast<std::size_t>(index) % Board::textCount];
}

// Reads the entry; it is remembered if it still tells of that collective afterwards.
void read(const Board& board, const Board::Entry& entry, Sighting& sighting, std::uint64_t number,
          Fingerprint group) {
    sighting.tag = entry.tag.load(relaxed);
    // Who knows the index of a text knows the text, also if the entry has changed meanwhile.
    sighting.name = textOf(board, entry.name.load(std::memory_order_acquire));
    sighting.file = textOf(board, entry.file.load(std::memory_order_acquire));
    sighting.line = entry.line.load(relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    sighting.remembered =
        entry.number.load(relaxed) == number && entry.group.load(relaxed) == group;
}

}  // namespace

Board& ownBoard() {
    static Board& board = *[] {
        std::byte* const piece = nodeArena().allocate(sizeof(Board));
        return piece ? new (piece) Board : new Board{};
    }();
    return board;
}

Entered enter(const char* name, const Group& group, Fingerprint plan, Where where) {
    static Texts& texts = *new Texts;
    static std::uint64_t next = 0;
    requireNoChild(name, where);
    lastEntered = {name, where};
    const GroupRecord& record = *group.record();
    if (record.size == 1) return {&record, 0, plan, name, where};
    if (record.collectives == nullptr) record.collectives = &countOf(record);
    auto& count = *static_cast<Board::Count*>(record.collectives);
    const std::uint64_t number = count.entered.load(relaxed) + 1;
    const Texts::Entry& kind = texts(name);
    const Fingerprint tag = mixed(mixed(plan, kind.fingerprint), record.fingerprint);
    Board::Entry& entry = ownBoard().entries[next++ % Board::entryCount];
    entry.number.store(0, relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    entry.group.store(record.fingerprint, relaxed);
    entry.tag.store(tag, relaxed);
    entry.name.store(kind.index, std::memory_order_release);
    entry.file.store(texts(where.file).index, std::memory_order_release);
    entry.line.store(where.line, relaxed);
    entry.number.store(number, std::memory_order_release);
    count.entered.store(number, std::memory_order_release);
    return {&record, number, tag, name, where};
}

Sighting sight(const Board& board, Fingerprint group, std::uint64_t number) {
    Sighting sighting;
    for (const Board::Count& count : board.counts) {
        const std::uint64_t print = count.group.load(std::memory_order_acquire);
        if (print == group) sighting.entered = count.entered.load(std::memory_order_acquire);
        if (print == group || print == 0) break;
    }
    if (sighting.entered == 0) sighting.known = board.groupsLeftOut.load(relaxed) == 0;
    for (const Board::Entry& entry : board.entries)
        if (entry.number.load(std::memory_order_acquire) == number &&
            entry.group.load(relaxed) == group)
            read(board, entry, sighting, number, group);
    return sighting;
}

Sighting sightTag(const Board& board, Fingerprint tag) {
    Sighting sighting;
    for (const Board::Entry& entry : board.entries) {
        const std::uint64_t number = entry.number.load(std::memory_order_acquire);
        if (number != 0 && entry.tag.load(relaxed) == tag)
            read(board, entry, sighting, number, entry.group.load(relaxed));
    }
    return sighting;
}

}  // namespace hpspmd::detail
