// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tools of others: <hpspmd/tools.h>.

#include "observe/observers.hpp"

#include <hpspmd/tools.h>
#include <hpspmd/error.hpp>
#include <hpspmd/ghosts.hpp>

#include <dlfcn.h>

namespace hpspmd::detail {
namespace {

class Tool final : public Observer {
public:
    explicit Tool(const HpspmdTool& tool) : tool_(tool) { wishes.waits = tool.wait != nullptr; }

    void nestBegins(Where where, const WrittenArray*, int) override { enter("nest", where); }
    void nestEnds() override { leave(); }
    void collectiveBegins(const char* name, Where where) override { enter(name, where); }
    void collectiveEnds() override { leave(); }
    void waitBegins() override {
        isWaiting_ = true;
        waits(1);
    }
    void waitPauses() override {
        if (isWaiting_) waits(0);
    }
    void waitResumes() override {
        if (isWaiting_) waits(1);
    }
    void waitEnds() override {
        waits(0);
        isWaiting_ = false;
    }
    void sends(int process, std::size_t bytes) override {
        if (tool_.message != nullptr) tool_.message(tool_.data, process, bytes);
    }
    void arrayMade(const void* address, std::size_t bytes) override {
        if (tool_.arrayMade != nullptr) tool_.arrayMade(tool_.data, address, bytes);
    }
    void arrayFreed(const void* address) override {
        if (tool_.arrayFreed != nullptr) tool_.arrayFreed(tool_.data, address);
    }
    void jobEnds() override {
        if (tool_.end != nullptr) tool_.end(tool_.data);
        tool_ = {};
    }

private:
    bool isOwnThread() const { return &nesting == thread_; }
    void enter(const char* what, Where where) const {
        if (tool_.enter == nullptr || !isOwnThread()) return;
        const HpspmdSite site = {where.file, where.line, what};
        tool_.enter(tool_.data, &site);
    }
    void leave() const {
        if (tool_.leave != nullptr && isOwnThread()) tool_.leave(tool_.data);
    }
    void waits(int begins) const {
        if (tool_.wait != nullptr && isOwnThread()) tool_.wait(tool_.data, begins);
    }

    HpspmdTool tool_;
    const void* const thread_ = &nesting;
    bool isWaiting_ = false;
};

}  // namespace

std::unique_ptr<Observer> newTool(int process) {
    const std::string path = variable("HPSPMD_TOOLS");
    if (path.empty()) return nullptr;
    const auto fail = [&](const std::string& cause) {
        throw IoError("cannot use the tool '" + path + "' (HPSPMD_TOOLS): " + cause, {});
    };
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail(::dlerror());
    const auto start =
        reinterpret_cast<decltype(&hpspmdToolStart)>(::dlsym(library, "hpspmdToolStart"));
    if (start == nullptr) fail("it defines no hpspmdToolStart");
    HpspmdTool tool = {};
    if (start(HPSPMD_TOOLS_VERSION, process, &tool) != 0) return nullptr;
    return std::make_unique<Tool>(tool);
}

}  // namespace hpspmd::detail
