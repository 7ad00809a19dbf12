// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/observers.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

namespace hpspmd::detail {
namespace {

class SeveralObservers final : public Observer {
public:
    void add(std::unique_ptr<Observer> one) {
        wishes.arrays |= one->wants().arrays;
        wishes.messages |= one->wants().messages;
        wishes.waits = true;  // what one wants of them may change
        all_.push_back(std::move(one));
    }

    void nestBegins(Where where, const WrittenArray* arrays, int count) override {
        tell(&Observer::nestBegins, where, arrays, count);
    }
    void nestEnds() override { tell(&Observer::nestEnds); }
    void hasWritten(const char* name, Where where, const WrittenArray& array) override {
        tell(&Observer::hasWritten, name, where, array);
    }
    void hasResult(const char* name, Where where, const void* value, ElementForm form) override {
        tell(&Observer::hasResult, name, where, value, form);
    }
    void collectiveBegins(const char* name, Where where) override {
        tell(&Observer::collectiveBegins, name, where);
    }
    void collectiveEnds() override { tell(&Observer::collectiveEnds); }
    void waitBegins() override { tell(&Observer::waitBegins); }
    void waitPauses() override { tell(&Observer::waitPauses); }
    void waitResumes() override { tell(&Observer::waitResumes); }
    void waitEnds() override { tell(&Observer::waitEnds); }
    void sends(int process, std::size_t bytes) override { tell(&Observer::sends, process, bytes); }
    void departs(int process, std::uint64_t number) override {
        tell(&Observer::departs, process, number);
    }
    void arrives(int process, std::uint64_t number) override {
        tell(&Observer::arrives, process, number);
    }
    void communicates(const Communication& communication) override {
        tell(&Observer::communicates, communication);
    }
    void findsSchedule() override { tell(&Observer::findsSchedule); }
    void arrayMade(const void* address, std::size_t bytes) override {
        tell(&Observer::arrayMade, address, bytes);
    }
    void arrayFreed(const void* address) override { tell(&Observer::arrayFreed, address); }
    void jobEnds() override { tell(&Observer::jobEnds); }
    void jobFails() override { tell(&Observer::jobFails); }

private:
    template <class... Parameters, class... Arguments>
    void tell(void (Observer::*what)(Parameters...), Arguments&&... arguments) {
        for (const auto& each : all_) (each.get()->*what)(arguments...);
    }

    std::vector<std::unique_ptr<Observer>> all_;
};

/// Until the end of the process.
struct Kept {
    std::unique_ptr<Observer> one;
    ~Kept() { observer = nullptr; }
};

}  // namespace

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

void startObserving(int process) {
    static Kept kept;
    auto several = std::make_unique<SeveralObservers>();
    int count = 0;
    for (const auto make : {newWitness, newRecorder, newTool})
        if (std::unique_ptr<Observer> one = make(process)) {
            if (++count == 2) several->add(std::exchange(kept.one, nullptr));
            if (count == 1)
                kept.one = std::move(one);
            else
                several->add(std::move(one));
        }
    if (count > 1) kept.one = std::move(several);
    observer = kept.one.get();
}

}  // namespace hpspmd::detail
