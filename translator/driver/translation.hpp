// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/file_roles.hpp"
#include "driver/includes.hpp"
#include "driver/pipeline.hpp"
#include "driver/reporter.hpp"
#include "source/text.hpp"

namespace hpcc::driver {

/// One .hpcpp file (or .hph, or plain file that includes an .hph) with the headers that it
/// includes: reads, translates, and owns every text and tree until it goes. Headers are translated
/// once each, from their own text and the .hph that they include, never from the includer's
/// context.
class Translation {
public:
    /// Translated headers are written below `shadow`, each under its own absolute path; none if it
    /// is empty.
    Translation(const Options& options, Reporter& reporter, FileRoles& roles,
                std::filesystem::path shadow);

    struct Result {
        std::string text;
        bool isIdentity = false;  ///< the source as it stands is the plain C++ program
    };

    /// Plain C++ of `source`; nothing if there were errors. Diagnostics go to the reporter.
    std::optional<Result> translate(const std::filesystem::path& source);

    /// The intermediate form that --emit names, as text.
    std::optional<std::string> form(const std::filesystem::path& source, const std::string& stage);

    /// Reports what the passes on nests say of the nests that stand in a line; false after errors.
    /// Failure(Usage) if there are none.
    bool answer(const std::filesystem::path& source, uint32_t line);

    /// The .hph files translated, by absolute path.
    std::vector<std::filesystem::path> headers() const;

private:
    struct Header {
        std::optional<source::Text> text;
        std::optional<ast::Unit>
            unit;  ///< nothing while its own includes are being translated, or after errors
    };

    const source::Text& read(const std::filesystem::path& source);
    std::optional<ast::Unit> analysed(const source::Text& text, const std::string& last);
    std::vector<const ast::Unit*> importsOf(const source::Text& text);
    void noteReads(const source::Text& includer);
    void forwardPlainNames(const source::Text& includer) const;
    void writeShadow(const std::filesystem::path& target, std::string_view text) const;
    void import(const Include& include, const source::Text& includer,
                std::vector<const ast::Unit*>& imports);
    void importPlain(const source::Text& includer, std::vector<const ast::Unit*>& imports);
    const ast::Unit* plainHeader(const std::filesystem::path& path);
    std::optional<std::filesystem::path> find(const Include& include,
                                              const source::Text& includer) const;
    Header& header(const std::filesystem::path& path, const std::filesystem::path& spelled);
    std::optional<std::string> emitted(const std::filesystem::path& source, ast::Unit unit,
                                       const std::string& last, bool lineDirectives);
    std::string standingAlone(std::string emitted, const std::filesystem::path& source) const;
    std::filesystem::path shadowOf(const std::filesystem::path& header) const;
    bool finish(const std::filesystem::path& source);
    void tellRemarks();

    const Options& options_;
    Reporter& reporter_;
    FileRoles& roles_;
    std::filesystem::path shadow_;
    diagnostics::Engine engine_;
    diagnostics::Engine remarkEngine_;
    ast::Remarks remarks_;
    ast::Quoter quote_;
    Observer observer_;
    Pipeline pipeline_;
    std::deque<source::Text> texts_;
    std::map<std::filesystem::path, std::unique_ptr<Header>> headers_, plainHeaders_;
};

}  // namespace hpcc::driver
