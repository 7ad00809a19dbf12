// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All stages, at -O3, with and without threads and kernels of devices, and with the remarks of the
// passes: what passes the checks becomes plain C++ that the parser reads again.
#include <algorithm>
#include <cstdio>

#include "driver/pipeline.hpp"
#include "harness.hpp"
#include "lower/lower.hpp"
#include "syntax/brackets.hpp"
#include "syntax/branches.hpp"
#include "syntax/lexer.hpp"
#include "syntax/parse.hpp"

namespace hpcc::fuzz {
namespace {

/// Errors of the lexer and of the bracket pass, and #if without #endif.
std::size_t bracketErrors(const std::string& content) {
    const source::Text text("emitted.cpp", content);
    syntax::TokenStream stream = syntax::lex(text);
    syntax::markDeadBranches(stream);
    syntax::pairBrackets(stream);
    using Kind = syntax::DirectiveKind;
    const auto count = [&](Kind kind) {
        return std::ranges::count(stream.directives, kind, &syntax::Directive::kind);
    };
    const bool isOpen = count(Kind::If) + count(Kind::IfZero) != count(Kind::Endif);
    return stream.errors.size() + isOpen;
}

/// The emitted text holds no extension, and its brackets are paired if those of the input are;
/// neither is known if an extension was told of in a branch that is skipped.
void requirePlain(const std::string& emitted, const std::string& input, bool skipsBranches) {
    const source::Text text("emitted.cpp", emitted);
    diagnostics::Engine engine;
    const bool isPlain = skipsBranches || lower::isLowered(syntax::parse(text, engine));
    const bool isPaired = skipsBranches || bracketErrors(emitted) == 0 || bracketErrors(input) > 0;
    if (!isPlain || !isPaired) std::fprintf(stderr, "emitted:\n%s", emitted.c_str());
    require(isPlain, "what is emitted is plain C++");
    require(isPaired, "the brackets of what is emitted are paired");
}

/// Messages of the parser, which end the translation or tell of a branch of #if that is skipped.
bool tellsOfSyntax(const diagnostics::Engine& engine) {
    return std::any_of(engine.all().begin(), engine.all().end(), [](const auto& each) {
        return diagnostics::definition(each.id).code < 2000;
    });
}

bool skipsBranches(const diagnostics::Engine& engine) {
    return std::any_of(engine.all().begin(), engine.all().end(), [](const auto& each) {
        return each.id == diagnostics::Id::ExtensionInDeadBranch;
    });
}

}  // namespace

const Mix mix{9, 1};

Reached examine(const std::string& input) {
    static ast::Quoter quote(syntax::parseSchema);  // the schemata are parsed once
    const source::Text text("input.hpcpp", input);
    driver::Options options;
    options.level = 3;
    options.threads = input.size() % 2 == 1;
    options.device = input.size() / 2 % 2 == 1;
    diagnostics::Engine engine, remarkEngine;
    driver::Observer observer(false, {});
    driver::Pipeline pipeline{options, engine, quote, observer};
    std::optional<ast::Unit> unit = driver::analyse(pipeline, text, {});
    engine.sort();
    requirePlaced(engine, text);
    if (!unit) return tellsOfSyntax(engine) ? Reached::Tokens : Reached::Tree;

    // An attribute is an extension, too; a loop that runs whole in each process only loses it.
    const bool isPlain = !unit->hasExtensions && input.find("hpspmd::") == input.npos;
    const ast::WantedRemarks wanted{{""}, {""}};
    ast::Remarks remarks(remarkEngine, wanted);
    unit->remarks = &remarks;
    const std::string emitted = driver::translated(pipeline, std::move(*unit), "optimized", true);
    requirePlaced(remarkEngine, text);
    if (engine.hasErrors()) return Reached::Tree;  // a line of the preprocessor would get lost
    if (isPlain)
        require(emitted == input, "a text without extensions is copied as it is");
    else
        requirePlain(emitted, input, skipsBranches(engine));
    return Reached::Output;
}

}  // namespace hpcc::fuzz
