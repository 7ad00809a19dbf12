// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/recorded.hpp"

#include <limits>
#include <sstream>

namespace hpspmd::detail {

std::string RecordedProcess::text() const {
    std::ostringstream out;
    out.precision(std::numeric_limits<double>::max_digits10);
    out << process << ' ' << seconds << ' ' << outside.messages << ' ' << outside.bytes << '\n';
    for (const RecordedSite& site : sites) {
        out << site.line << ' ' << site.count << ' ' << site.cacheHits << ' ' << site.seconds << ' '
            << site.waiting << ' ' << site.isSampled << ' ' << site.sent.messages << ' '
            << site.sent.bytes << '\n'
            << site.what << '\n'
            << site.file << '\n'
            << site.communications.size() << '\n';
        for (const auto& [text, count] : site.communications) out << count << ' ' << text << '\n';
    }
    return out.str();
}

RecordedProcess RecordedProcess::read(const std::string& text) {
    std::istringstream in(text);
    RecordedProcess result;
    in >> result.process >> result.seconds >> result.outside.messages >> result.outside.bytes;
    RecordedSite site;
    while (in >> site.line >> site.count >> site.cacheHits >> site.seconds >> site.waiting >>
           site.isSampled >> site.sent.messages >> site.sent.bytes >> std::ws) {
        std::getline(in, site.what);
        std::getline(in, site.file);
        std::size_t communications = 0;
        in >> communications;
        site.communications.resize(communications);
        for (auto& [text, count] : site.communications) std::getline(in >> count >> std::ws, text);
        result.sites.push_back(site);
    }
    return result;
}

}  // namespace hpspmd::detail
