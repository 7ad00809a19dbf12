// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/profile_file.hpp"

#include "observe/gathering.hpp"
#include "observe/result_file.hpp"
#include "transport/transport.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

namespace hpspmd::detail {
namespace {

constexpr const char* profileKind = "profile (HPSPMD_PROFILE)";

std::string partOf(const RecordedSite& site) {
    std::ostringstream out;
    out << "{\"count\": " << site.count << ", \"seconds\": " << site.seconds
        << ", \"waiting\": " << site.waiting << ", \"messages\": " << site.sent.messages
        << ", \"bytes\": " << site.sent.bytes << ", \"cacheHits\": " << site.cacheHits
        << ", \"sampled\": " << (site.isSampled ? "true" : "false") << "}";
    return out.str();
}

/// Is inside some site's time: the rest of a process's.
double secondsInside(const RecordedProcess& process) {
    double sum = 0;
    for (const RecordedSite& site : process.sites) sum += site.seconds;
    return sum;
}

/// All that was recorded, by site; a process that has not come to a site has a count of 0.
class Profile {
public:
    void add(RecordedProcess process) {
        for (const RecordedSite& site : process.sites) {
            sites_[{site.file, site.line, site.what}][process.process] = site;
            auto& communications = communications_[{site.file, site.line, site.what}];
            for (const auto& [text, count] : site.communications)
                communications[text] = std::max(communications[text], count);
        }
        processes_.push_back(std::move(process));
    }

    std::string text(bool isComplete) const {
        std::ostringstream out;
        out << "{\n \"format\": 1,\n \"complete\": " << (isComplete ? "true" : "false")
            << ",\n \"program\": " << quoted(programName())
            << ",\n \"processes\": " << jobTransport().size() << ",\n \"recorded\": [";
        list(out, [&](const RecordedProcess& process) { out << process.process; });
        out << "],\n \"seconds\": [";
        list(out, [&](const RecordedProcess& process) { out << process.seconds; });
        out << "],\n \"outside\": [";
        list(out, [&](const RecordedProcess& process) {
            const double rest = process.seconds - secondsInside(process);
            out << "{\"seconds\": " << (rest > 0 ? rest : 0)
                << ", \"messages\": " << process.outside.messages
                << ", \"bytes\": " << process.outside.bytes << "}";
        });
        out << "],\n \"sites\": [";
        writeSites(out);
        out << "]\n}\n";
        return out.str();
    }

private:
    template <class Write>
    void list(std::ostream& out, const Write& write) const {
        const char* separator = "";
        for (const RecordedProcess& process : processes_) {
            out << separator;
            write(process);
            separator = ", ";
        }
    }

    void writeSites(std::ostream& out) const {
        const char* separator = "\n  ";
        for (const auto& [site, byProcess] : sites_) {
            const auto& [file, line, what] = site;
            out << separator << "{\"file\": " << quoted(file) << ", \"line\": " << line
                << ", \"what\": " << quoted(what) << ", \"processes\": [";
            list(out, [&, &byProcess = byProcess](const RecordedProcess& process) {
                const auto found = byProcess.find(process.process);
                out << partOf(found != byProcess.end() ? found->second : RecordedSite());
            });
            out << "]";
            writeCommunications(out, communications_.at(site));
            out << "}";
            separator = ",\n  ";
        }
    }

    static void writeCommunications(std::ostream& out,
                                    const std::map<std::string, std::uint64_t>& communications) {
        out << ", \"plans\": [";
        const char* separator = "\n   ";
        for (const auto& [text, count] : communications) {
            out << separator << "{\"count\": " << count << ", " << text << "}";
            separator = ",\n   ";
        }
        out << "]";
    }

    using Site = std::tuple<std::string, int, std::string>;

    std::vector<RecordedProcess> processes_;
    std::map<Site, std::map<int, RecordedSite>> sites_;
    std::map<Site, std::map<std::string, std::uint64_t>> communications_;  // by members executed
};

void writeFile(const std::string& path, const Profile& profile, bool isComplete) {
    ResultFile file(path, profileKind);
    file.write(profile.text(isComplete));
    file.commit();
}

}  // namespace

void beginProfile(const std::string& path) { writeFile(path, Profile(), false); }

void writeProfile(const std::string& path, const RecordedProcess& own) {
    Profile profile;
    gatherTexts(own.text(),
                [&](const std::string& text) { profile.add(RecordedProcess::read(text)); });
    if (jobTransport().rank() == 0) writeFile(path, profile, true);
}

void writeOwnProfile(const std::string& path, const RecordedProcess& own) {
    Profile profile;
    profile.add(own);
    writeFile(path, profile, false);
}

}  // namespace hpspmd::detail
