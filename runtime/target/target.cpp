// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/target.hpp>

#include "compose.hpp"
#include "device/mirror.hpp"
#include "log.hpp"
#include "target/back_end.hpp"
#include "target/rules.hpp"
#include "threads.hpp"

#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>

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

[[noreturn]] void raiseUnavailable(const Target& target, const std::string& reason, Where where) {
    throw TargetUnavailable(compose("the target ", nameOf(target), ": ", reason), where);
}

Rules readRules(const char* file) {
    std::ifstream stream(file);
    std::ostringstream text;
    if (!stream || !(text << stream.rdbuf()))
        throw IoError(compose("HPSPMD_RULES: the file ", file, " cannot be read"), {});
    return Rules::parsed(text.str(), file);
}

Target readTarget(const char* text) {
    const TargetWords words = targetNamed(text);
    if (!words.target) throw TargetUnavailable("HPSPMD_TARGET: " + words.problem, {});
    return *words.target;
}

Named readNamed() {
    Named named;
    if (const char* const file = valueOf("HPSPMD_RULES")) named.rules = readRules(file);
    if (const char* const words = valueOf("HPSPMD_TARGET")) named.usual = readTarget(words);
    return named;
}

const Named& named() {
    static const Named& result = *new Named(readNamed());
    return result;
}

/// A target, and who has chosen it.
struct Choice {
    enum class By : unsigned char { Nobody, Variable, On, Rule };

    Target target;
    By by = By::Nobody;
    int line = 0;  // of the rule

    std::string speaker() const {
        switch (by) {
        case By::Variable:
            return " (HPSPMD_TARGET)";
        case By::On:
            return " (on)";
        case By::Rule:
            return compose(" (line ", line, " of ", valueOf("HPSPMD_RULES"), ")");
        default:
            return "";
        }
    }
};

Choice choiceAt(const Site& site) {
    if (targetsAreNamed)
        if (const auto rule = named().rules.at(site))
            return {rule->target, Choice::By::Rule, rule->line};
    if (activeTarget.kind() != TargetKind::None) return {activeTarget, Choice::By::On};
    if (targetsAreNamed && named().usual.kind() != TargetKind::None)
        return {named().usual, Choice::By::Variable};
    return {};
}

/// True if this process tells the log where nests run.
bool isSpeaker() {
    static const bool isWanted = isLogWanted();
    return isWanted && ownRank() <= 0;
}

/// True once per place. Asked as often as nests run: first by the address of the file's name.
bool isNews(Where where) {
    static std::mutex mutex;
    static auto& asked = *new std::set<std::pair<const char*, int>>;
    static auto& told = *new std::set<std::pair<std::string, int>>;
    const std::lock_guard lock(mutex);
    return asked.insert({where.file, where.line}).second &&
           told.emplace(where.file, where.line).second;
}

std::string placeOf(const Site& site) {
    if (site.where.file == nullptr || *site.where.file == 0) return "";
    const char* const slash = std::strrchr(site.where.file, '/');
    return compose(slash != nullptr ? slash + 1 : site.where.file, ":", site.where.line,
                   *site.function != 0 ? " in " : "", site.function, ": ");
}

/// "sor.hpcpp:17 in relax: target cuda:1 (HPSPMD_TARGET): .."; by tell() once per place.
template <class... Parts>
void tellAnyway(const Site& site, const Choice& choice, const Parts&... outcome) {
    const std::string text = compose("hpspmd: ", placeOf(site), "target ", nameOf(choice.target),
                                     choice.speaker(), ": ", outcome..., "\n");
    std::fputs(text.c_str(), stderr);
}
template <class... Parts>
void tell(const Site& site, const Choice& choice, const Parts&... outcome) {
    if (isSpeaker() && isNews(site.where)) tellAnyway(site, choice, outcome...);
}

std::string inThreads(int count) {
    return count > 1 ? compose("runs in ", count, " threads") : std::string("runs in one thread");
}

/// Why this process has nothing of the kind; empty if it has.
std::string whyNone(const Target& target) {
    if (target.kind() == TargetKind::Threads) return whyNoThreads();
    return isDevice(target) ? findDevice(target).reason : "";
}

/// Of a target for all nests that follow.
void enter(const Site& site, const Choice& choice) {
    if (!choice.target.isStrict() && !isSpeaker()) return;
    const std::string reason = whyNone(choice.target);
    if (reason.empty()) return;
    if (choice.target.isStrict()) raiseUnavailable(choice.target, reason, site.where);
    tell(site, choice, reason,
         isDevice(choice.target) ? ": nests run on the host" : ": nests run in one thread");
}

/// Why a nest that is about to run on the host does not run on the device that it should.
std::string reasonForHost(const Target& target) {
    if (target.kind() == TargetKind::Automatic) return "nothing is measured";
    const Found found = findDevice(target);
    return found.reason.empty() ? "this nest has no kernel" : found.reason;
}

}  // namespace

const bool targetsAreNamed =
    valueOf("HPSPMD_TARGET") != nullptr || valueOf("HPSPMD_RULES") != nullptr;

void readTargets() {
    if (targetsAreNamed) enter({}, {named().usual, Choice::By::Variable});
}

int threadsAt(const Site& site, int most) {
    const Choice choice = choiceAt(site);
    const Target& target = choice.target;
    int threads = most;
    if (target.kind() == TargetKind::Sequential) threads = 1;
    if (target.kind() == TargetKind::Threads && target.number() > 0 && threadsAreAllowed())
        threads = target.number();
    if (target.kind() <= TargetKind::Threads) {
        if (choice.by != Choice::By::Nobody && isSpeaker()) tell(site, choice, inThreads(threads));
    } else if (!site.hasKernel) {
        if (target.isStrict() && isDevice(target))
            raiseUnavailable(target, reasonForHost(target), site.where);
        if (isSpeaker()) tell(site, choice, reasonForHost(target), ": ", inThreads(threads));
    }
    return threads;
}

Target chosenDevice(const Site& site) {
    Choice choice = choiceAt(site);
    if (choice.by == Choice::By::Nobody) choice.target = targets::gpu;
    if (!isDevice(choice.target)) return {};
    if (choice.target.kind() == TargetKind::Devices && choice.target.number() == 0) return {};
    const Found found = findDevice(choice.target, choice.target.isStrict() || isSpeaker());
    if (found.device.kind() == TargetKind::None) {
        if (choice.target.isStrict()) raiseUnavailable(choice.target, found.reason, site.where);
        tell(site, choice, found.reason, ": runs on the host");
    } else if (isSpeaker() && isNews(site.where)) {
        tellAnyway(site, choice, "runs on ", nameOf(found.device));
    }
    return found.device;
}

void fallBack(const Site& site, const char* reason) {
    const Choice choice = choiceAt(site);
    if (choice.target.isStrict()) raiseUnavailable(choice.target, reason, site.where);
    if (isSpeaker()) tellOfNest(site, compose(reason, ": runs on the host"));
}

void tellOfNest(const Site& site, const std::string& text) {
    if (!isSpeaker()) return;
    static std::mutex mutex;
    static auto& told = *new std::set<std::string>;
    const std::string line = compose("hpspmd: ", placeOf(site), text, "\n");
    const std::lock_guard lock(mutex);
    if (told.insert(line).second) std::fputs(line.c_str(), stderr);
}

int shareAt(const Site& site) {
    const Target target = choiceAt(site).target;
    if (target.kind() != TargetKind::Devices) return -1;
    return target.number() < 0 ? 100 : target.number();
}

void enterTarget(const Target& target, Where where) {
    if (const std::string problem = problemOf(target); !problem.empty())
        raiseUnavailable(target, problem, where);
    if (isDevice(target)) noteDeviceOfOn();
    enter({where, ""}, {target, Choice::By::On});
}

}  // namespace hpspmd::detail
