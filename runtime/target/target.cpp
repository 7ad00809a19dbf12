// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/target.hpp>

#include "compose.hpp"
#include "log.hpp"
#include "target/rules.hpp"
#include "threads.hpp"

#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>

namespace hpspmd::detail {
namespace {

const char* valueOf(const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && *value != 0 ? value : nullptr;
}

/// What the environment says.
struct Named {
    Rules rules;
    Target usual;  // of nests that no rule and no `on` speaks of
};

[[noreturn]] void raiseUnavailable(const Target& target, Where where) {
    throw TargetUnavailable(
        compose("the target ", nameOf(target), ": there is no such device in this process"), where);
}

bool isDevice(const Target& target) {
    return target.kind() > TargetKind::Threads && target.kind() != TargetKind::Automatic;
}

Named readNamed() {
    Named named;
    if (const char* const file = valueOf("HPSPMD_RULES")) {
        std::ifstream stream(file);
        std::ostringstream text;
        if (!stream || !(text << stream.rdbuf()))
            throw IoError(compose("HPSPMD_RULES: the file ", file, " cannot be read"), {});
        named.rules = Rules::parsed(text.str(), file);
    }
    if (const char* const words = valueOf("HPSPMD_TARGET")) {
        const auto target = targetNamed(words);
        if (!target)
            throw TargetUnavailable(
                compose("HPSPMD_TARGET: '", words,
                        "' is no target: sequential, threads, gpu, cuda, opencl, check, devices, "
                        "automatic; with '!' without fallback"),
                {});
        named.usual = *target;
        if (target->isStrict() && isDevice(*target)) raiseUnavailable(*target, {});
    }
    return named;
}

const Named& named() {
    static const Named& result = *new Named(readNamed());
    return result;
}

Target targetAt(const Site& site) {
    if (!targetsAreNamed) return activeTarget;
    if (const auto ruled = named().rules.at(site)) return *ruled;
    return activeTarget.kind() != TargetKind::None ? activeTarget : named().usual;
}

/// True once per place.
bool isNews(Where where) {
    static std::mutex mutex;
    static auto& told = *new std::set<std::pair<std::string, int>>;
    const std::lock_guard lock(mutex);
    return told.emplace(where.file, where.line).second;
}

bool isSpeaker() { return isLogWanted() && ownRank() <= 0; }

void tell(const Site& site, const Target& target, const std::string& instead) {
    if (!isSpeaker() || !isNews(site.where)) return;
    const char* const slash = std::strrchr(site.where.file, '/');
    std::fprintf(
        stderr, "hpspmd: %s:%d%s%s: target %s: %s: %s\n",
        slash != nullptr ? slash + 1 : site.where.file, site.where.line,
        *site.function != 0 ? " in " : "", site.function, nameOf(target).c_str(),
        target.kind() == TargetKind::Automatic ? "nothing is measured" : "there is no such device",
        instead.c_str());
}

std::string inThreads(int count) {
    return count > 1 ? compose("runs in ", count, " threads") : std::string("runs in one thread");
}

}  // namespace

const bool targetsAreNamed =
    valueOf("HPSPMD_TARGET") != nullptr || valueOf("HPSPMD_RULES") != nullptr;

void readTargets() {
    if (targetsAreNamed) named();
}

int threadsAt(const Site& site, int most) {
    const Target target = targetAt(site);
    switch (target.kind()) {
    case TargetKind::None:
        return most;
    case TargetKind::Sequential:
        return 1;
    case TargetKind::Threads:
        return target.number() > 0 && threadsAreAllowed() ? target.number() : most;
    default:
        if (target.isStrict() && isDevice(target)) raiseUnavailable(target, site.where);
        tell(site, target, inThreads(most));
        return most;
    }
}

void enterTarget(const Target& target, Where where) {
    if (!isDevice(target)) return;
    if (target.isStrict()) raiseUnavailable(target, where);
    tell({where, ""}, target, "nests run on the host");
}

}  // namespace hpspmd::detail
