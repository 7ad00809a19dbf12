// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The comparison of collectives after a long wait.

#include "launcher.hpp"
#include "node.hpp"
#include "watch/notes.hpp"
#include "watch/verdict.hpp"

#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/observe.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace hpspmd::detail {
namespace {

constexpr double firstLook = 0.2, shortInterval = 0.05, longInterval = 0.5;  // seconds
constexpr double patienceWithFailures = 3;  // for who ends with a status: he ends the job himself
bool comparing = true;

double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

Party ownParty(const Entered& entered) {
    return {ownRank(), entered.name, entered.where.file, entered.where.line};
}

// What is wrong with a member of the group, or "".
std::string judge(const Entered& entered, const Neighbour& other, double waited) {
    const Sighting seen = sight(*other.board, entered.group->fingerprint, entered.number);
    if (seen.remembered && seen.tag != entered.tag)
        return mismatchText(ownParty(entered), {other.process, seen.name, seen.file, seen.line});
    const int ended = other.board->ended.load(std::memory_order_acquire);
    const bool missing = seen.known && seen.entered < entered.number;
    if (missing && (ended == 1 || (ended > 1 && waited > patienceWithFailures)))
        return endedText(ownParty(entered), other.process);
    if (ended == 0 && !other.isAlive())
        return compose(ownParty(entered).text(), " and waits for rank ", other.process,
                       ", which has died");
    return "";
}

bool isMissing(const Board& board, Fingerprint group, std::uint64_t number) {
    const Sighting seen = sight(board, group, number);
    return seen.known && seen.entered < number;
}

// The process that `board` says its owner waits for, if that is still so; else -1.
int awaited(const Board& board) {
    const int process = board.waitsFor.load() - 1;
    const Neighbour* const other = neighbour(process);
    if (other == nullptr) return -1;
    return isMissing(*other->board, board.waitGroup.load(), board.waitNumber.load()) ? process : -1;
}

// Each process that has waited long shows one that has not entered its collective. If following
// these leads back here, all of them wait for ever: each enters what the one before it waits for
// only after its own wait. Nothing depends on how old what they show is: the processes on the way
// have entered these collectives in orders that contradict each other.
std::string circle(const Entered& entered) {
    const int first = awaited(ownBoard());
    int process = first;
    for (std::size_t step = 0; step < neighbours().size() && process >= 0; ++step) {
        const Board& board = *neighbour(process)->board;
        const int next = awaited(board);
        if (next == ownRank()) {
            const Sighting seen = sight(board, board.waitGroup.load(), board.waitNumber.load());
            return mismatchText(ownParty(entered), {process, seen.name, seen.file, seen.line}) +
                   compose(", over another group: each waits for the other", step > 0 ? "s" : "");
        }
        process = next;
    }
    return "";
}

std::string judgeAll(const Entered& entered, double waited) {
    int missing = -1;
    for (const Neighbour& other : neighbours()) {
        if (other.process == ownRank() || position(Group(entered.group), other.process) < 0)
            continue;
        const std::string verdict = judge(entered, other, waited);
        if (!verdict.empty()) return verdict;
        if (missing < 0 && isMissing(*other.board, entered.group->fingerprint, entered.number))
            missing = other.process;
    }
    ownBoard().waitsFor.store(0);
    ownBoard().waitGroup.store(entered.group->fingerprint);
    ownBoard().waitNumber.store(entered.number);
    ownBoard().waitsFor.store(missing + 1);
    return circle(entered);
}

// Several processes may find the same mismatch; one of them speaks. The others do after a second,
// should that not have ended the job.
void speakAlone() {
    const double start = seconds();
    const auto isTurn = [] {
        if (neighbours().empty()) return ownRank() == 0;
        std::int32_t nobody = 0;
        auto& speaker = neighbours().front().board->speaker;
        return speaker.compare_exchange_strong(nobody, ownRank() + 1) || nobody == ownRank() + 1;
    };
    while (!isTurn() && seconds() - start < 1) ::usleep(10'000);
}

void look(const Entered& entered, double waited) {
    if (!comparing || entered.number == 0) return;
    sendNotes(entered);
    std::string verdict = judgeNotes(false);
    if (verdict.empty()) verdict = judgeAll(entered, waited);
    if (verdict.empty()) return;
    ownBoard().waitsFor.store(0);
    speakAlone();
    throw AdlibError(verdict, entered.where);
}

}  // namespace

Waiting::Waiting(const Entered& entered)
    : entered_(entered), sleeps_(waitsSleep()), spins_(sleeps_ ? 0 : longestSpin) {
    if (observer != nullptr && observer->wants().waits) observer->waitBegins();
}

Waiting::~Waiting() {
    if (observer != nullptr && observer->wants().waits) observer->waitEnds();
    if (listens_) ownBoard().bell.ignore();
    forget();
}

void Waiting::yield() {
    constexpr int turnsPerReading = 16;
    if (looks_ == 0)
        sched_yield();
    else
        ::usleep(100);
    if (++turns_ % turnsPerReading == 0) lookIfDue();
}

// At first the bell is set only: what has happened until then must be looked for before one sleeps.
void Waiting::sleep(const Awaited& awaited) {
    constexpr double shortestNap = 1e-6, longestNap = 1e-3, growth = 1.5;
    Bell& bell = ownBoard().bell;
    const bool isDeaf = awaited.events == 0;
    if (!isDeaf && !(listens_ && bell.keep(awaited.events))) {
        bell.listen(awaited.events, awaited.first ? Bell::Until::First : Bell::Until::All);
        listens_ = true;
        return;
    }
    ++turns_;
    lookIfDue();
    double limit = nextLook_ - seconds();
    if (awaited.messages) {
        nap_ = std::clamp(growth * nap_, shortestNap, longestNap);
        limit = std::min(limit, nap_);
    }
    listens_ = false;
    if (isDeaf)
        ::usleep(static_cast<useconds_t>(limit * 1e6));
    else
        bell.sleep(limit);
}

void Waiting::lookIfDue() {
    const double now = seconds();
    if (since_ == 0) {
        since_ = now;
        nextLook_ = now + firstLook;
    }
    if (now < nextLook_) return;
    nextLook_ = now + std::min(longInterval, shortInterval * ++looks_);
    requireLauncher(entered_.where);
    look(entered_, now - since_);
}

void Waiting::forget() {
    if (looks_ != 0) ownBoard().waitsFor.store(0);
    turns_ = looks_ = 0;
    since_ = nextLook_ = nap_ = 0;
}

void raiseOtherCollective(const Entered& entered, int process, Fingerprint tag) {
    const Neighbour* const other = neighbour(process);
    const Sighting seen = other ? sightTag(*other->board, tag) : Sighting{};
    Party party{process, seen.name, seen.file, seen.line};
    if (!seen.remembered) party.name = "another collective";
    speakAlone();
    throw AdlibError(mismatchText(ownParty(entered), party), entered.where);
}

void explainMismatch(const Entered& entered) {
    look(entered, 0);
    ownBoard().waitsFor.store(0);
}

void compareCollectives(bool on) { comparing = on; }

}  // namespace hpspmd::detail
