// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/node_transport.hpp"

#include "compose.hpp"
#include "launcher.hpp"
#include "transport/streams.hpp"

#include <hpspmd/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

namespace hpspmd::detail {
namespace {

/// What the launcher says to each process: "file:rank:size".
constexpr const char* jobVariable = "HPSPMD_NODE_JOB";

struct NodeJob {
    int file = -1, rank = 0, size = 1;
    std::string problem;  ///< with what the launcher said
};

/// Asked for once: programs that this one starts do not belong to the job.
NodeJob readJob() {
    const char* const value = std::getenv(jobVariable);
    NodeJob job;
    if (value == nullptr) return job;
    char end = 0;
    const int fields = std::sscanf(value, "%d:%d:%d%c", &job.file, &job.rank, &job.size, &end);
    const bool isRight = fields == 3 && job.file >= 0 && job.rank >= 0 && job.rank < job.size;
    if (!isRight) job = {-1, 0, 1, compose(jobVariable, " is '", value, "': not file:rank:size")};
    ::unsetenv(jobVariable);
    return job;
}

const NodeJob& nodeJob() {
    static const NodeJob& job = *new NodeJob(readJob());
    return job;
}

class NodeTransport : public Transport {
public:
    const char* name() const override { return "shared memory"; }

    bool start() override {
        const NodeJob& job = nodeJob();
        if (!job.problem.empty()) throw MpiError(job.problem, {});
        if (job.file >= 0) {
            endWithLauncher();
            memory_.emplace(job.file, job.size);
            ::close(job.file);
            if (memory_->head().exitCode != 0) ::_exit(1);  // the job has ended before
            ++memory_->head().started;
            for (int process = 0; process < job.size; ++process) {
                out_.emplace_back(*memory_, memory_->ring(job.rank, process));
                in_.emplace_back(*memory_, memory_->ring(process, job.rank));
            }
        }
        isRunning_ = true;
        return true;
    }

    bool isRunning() const override { return isRunning_; }
    void atFinish(void (*f)()) override { atFinish_.push_back(f); }

    void finish() override {
        for (const auto call : atFinish_) call();
        if (memory_) ++memory_->head().finished;
        isRunning_ = false;
    }

    void abort(int exitCode) override {
        if (memory_) memory_->setExitCode(exitCode);
        ::_exit(exitCode);
    }

    void joinToAbort() override {
        if (memory_ || nodeJob().file < 0) return;
        try {
            memory_.emplace(nodeJob().file, nodeJob().size);
        } catch (const MpiError&) {  // then the launcher ends the others
        }
    }

    std::string wrongLauncher() const override {
        const std::string other = otherLauncher();
        if (other.empty()) return "";
        return other +
               ", but this program is joined by shared memory, without MPI, so every "
               "process runs alone. Start it with `hpcc run`.";
    }

    bool allowsThreads() const override { return true; }

    int rank() const override { return nodeJob().rank; }
    int size() const override { return nodeJob().size; }
    int nodeRank() const override { return rank(); }
    int nodeSize() const override { return size(); }

    void gatherOnNode(const void* own, std::size_t bytes, void* all) override {
        if (!memory_) {
            std::memcpy(all, own, bytes);
            return;
        }
        const char* const from = static_cast<const char*>(own);
        char* const to = static_cast<char*>(all);
        for (std::size_t done = 0; done < bytes; done += NodeMember::gatherBytes) {
            const std::size_t count = std::min(bytes - done, NodeMember::gatherBytes);
            std::memcpy(memory_->member(rank()).gathered, from + done, count);
            meet();
            for (int process = 0; process < size(); ++process)
                std::memcpy(to + static_cast<std::size_t>(process) * bytes + done,
                            memory_->member(process).gathered, count);
            meet();
        }
    }

    Request barrier(Subject subject) override {
        return opened(enter(subject == Subject::Notes ? 1 : 0));
    }

    Request send(Subject subject, const void* data, std::size_t bytes, int process, int tag,
                 bool isSynchronous, Where where) override {
        const DeliveryPtr message = std::make_shared<Delivery>();
        message->frame = {bytes, tag, subject, isSynchronous};
        message->data = static_cast<const char*>(data);
        streamTo(process, where).send(message);
        return opened(message);
    }

    Request receive(Subject subject, void* to, std::size_t bytes, int process, int tag,
                    Where where) override {
        const DeliveryPtr wanted = std::make_shared<Delivery>();
        wanted->frame = {bytes, tag, subject, false};
        wanted->to = static_cast<char*>(to);
        streamTo(process, where);
        in_[static_cast<std::size_t>(process)].receive(wanted);
        return opened(wanted);
    }

    bool test(Request& request, std::size_t* received, Where) override {
        if (!request.isOpen) return true;
        advance();
        const auto entry = open_.find(request.id);
        if (!isDone(entry->second)) return false;
        if (received != nullptr) *received = entry->second.message->frame.bytes;
        open_.erase(entry);
        request.isOpen = false;
        return true;
    }

    void abandon(Request& request, bool isReceived) override {
        if (!request.isOpen) return;
        Delivery& message = *open_.find(request.id)->second.message;
        if (isReceived) {
            message.isAwaited = false;
        } else if (!message.isDone) {
            message.copy.assign(message.data, message.data + message.frame.bytes);
            message.data = message.copy.data();
        }
        open_.erase(request.id);
        request.isOpen = false;
    }

    int take(Subject subject, void* to, std::size_t bytes, int tag) override {
        advance();
        for (std::size_t process = 0; process < in_.size(); ++process)
            if (in_[process].take({bytes, tag, subject, false}, to))
                return static_cast<int>(process);
        return -1;
    }

private:
    /// A barrier that has been entered: the n-th of its kind.
    struct Entry {
        int kind = 0;
        std::uint64_t number = 0;
    };
    struct Open {
        DeliveryPtr message;  ///< null of a barrier
        Entry barrier;
    };

    Entry enter(int kind) {
        if (!memory_) return {kind, 0};
        return {kind, memory_->member(rank()).barriers[kind].fetch_add(1) + 1};
    }

    bool haveAllEntered(const Entry& entry) const {
        for (int process = 0; memory_ && process < size(); ++process)
            if (memory_->member(process).barriers[entry.kind].load() < entry.number) return false;
        return true;
    }

    /// All processes, at their start.
    void meet() {
        for (const Entry entry = enter(2); !haveAllEntered(entry); ::usleep(20)) {
        }
    }

    bool isDone(const Open& open) const {
        return open.message ? open.message->isDone : haveAllEntered(open.barrier);
    }

    Request opened(const DeliveryPtr& message) { return keep({message, {}}); }
    Request opened(const Entry& barrier) { return keep({nullptr, barrier}); }
    Request keep(const Open& open) {
        open_[++made_] = open;
        return {true, made_};
    }

    OutStream& streamTo(int process, Where where) {
        if (process < 0 || process >= static_cast<int>(out_.size()))
            throw MpiError(compose("there is no process ", process), where);
        return out_[static_cast<std::size_t>(process)];
    }

    void advance() {
        for (OutStream& stream : out_) stream.advance();
        for (InStream& stream : in_) stream.advance();
    }

    bool isRunning_ = false;
    std::optional<NodeMemory> memory_;  ///< none of a process that is alone
    std::vector<OutStream> out_;        ///< by process
    std::vector<InStream> in_;
    std::map<std::uintptr_t, Open> open_;
    std::uintptr_t made_ = 0;
    std::vector<void (*)()> atFinish_;
};

}  // namespace

Transport& nodeTransport() {
    static Transport& instance = *new NodeTransport;
    return instance;
}

int rankInNodeJob() {
    const NodeJob& job = nodeJob();
    return job.file < 0 && job.problem.empty() ? -1 : job.rank;
}

}  // namespace hpspmd::detail
