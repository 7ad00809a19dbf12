// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/parse.hpp"

#include "syntax/brackets.hpp"
#include "syntax/branches.hpp"
#include "syntax/damage.hpp"
#include "syntax/declared_name.hpp"
#include "syntax/late_checks.hpp"
#include "syntax/lexer.hpp"
#include "syntax/syntax_errors.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace hpcc::syntax {
namespace {

using ast::Kind;

NodePtr opaqueUnit(ast::Arena& arena, const source::Text& text) {
    const source::Span all{&text, 0, text.size()};
    if (text.size() == 0) return arena.parsed(Kind::TranslationUnit, all, {});
    return arena.parsed(Kind::TranslationUnit, all,
                        {arena.parsed(Kind::OpaqueDeclaration, all, {})});
}

// The root as the parser made it begins at the first token; a unit spans all its text.
NodePtr wholeUnit(ast::Arena& arena, const source::Text& text, NodePtr root) {
    if (!root) return opaqueUnit(arena, text);
    return arena.parsed(Kind::TranslationUnit, {&text, 0, text.size()}, root->children());
}

// What a macro is called, and what it names: no name of hpcc's own may be either.
void collectWords(std::string_view text, ast::Unit& unit) {
    const auto isPart = [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; };
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        std::size_t end = begin;
        while (end < text.size() && isPart(static_cast<unsigned char>(text[end]))) ++end;
        if (end > begin) unit.identifiers.insert(text.substr(begin, end - begin));
        begin = end;
    }
}

void collectIdentifiers(const TokenStream& stream, ast::Unit& unit) {
    std::vector<bool> seen(static_cast<std::size_t>(stream.names.count()), false);
    for (const Token& token : stream.tokens)
        if (token.name >= 0 && !seen[token.name]) {
            seen[token.name] = true;
            unit.identifiers.insert(stream.names.text(token.name));
        }
    for (const Directive& directive : stream.directives) collectWords(directive.span.str(), unit);
}

SchemaStart startOf(ast::SchemaPart part) {
    switch (part) {
    case ast::SchemaPart::Expression:
        return SchemaStart::Expression;
    case ast::SchemaPart::Statement:
        return SchemaStart::Statements;
    case ast::SchemaPart::Declaration:
        return SchemaStart::Declaration;
    case ast::SchemaPart::Type:
        return SchemaStart::Type;
    }
    return SchemaStart::None;
}

[[noreturn]] void badSchema(const source::Text& schema, const char* what) {
    std::fprintf(stderr, "hpcc: internal error: this schema %s: %s\n", what,
                 std::string(schema.content()).c_str());
    std::abort();
}

bool hasOpaque(NodePtr node) {
    if (!node) return false;
    if (node->is<ast::OpaqueStatement>() || node->is<ast::OpaqueDeclaration>()) return true;
    for (NodePtr child : node->children())
        if (hasOpaque(child)) return true;
    return false;
}

bool isUtf16(std::string_view content) {
    return content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF");
}

// What has been made of a text, with some branches of #if left out.
struct Reading {
    TokenStream stream;
    std::vector<Directive> skipped;
    std::shared_ptr<ast::Arena> arena = std::make_shared<ast::Arena>();
    NodePtr root = nullptr;
    bool isComplete = false, hasExtensions = false;
    diagnostics::Engine errors;
    BranchSet wrong;  // branches with errors and without extensions
};

// The branch round an error, if no extension stands in it.
void noteBranch(const Filter& filter, uint32_t place, Reading& reading) {
    const std::vector<Token>& tokens = reading.stream.tokens;
    const auto branch = branchAround(reading.stream, place);
    if (!branch) return;
    const auto tokenAt = [&](uint32_t offset) {
        const auto found = std::ranges::lower_bound(tokens, offset, {}, &Token::begin);
        return static_cast<int>(found - tokens.begin());
    };
    if (!filter.scanner().holdsExtension(tokenAt(branch->begin), tokenAt(branch->end)))
        reading.wrong.insert(branch->begin);
}

Reading readWithout(const BranchSet& noCode, const source::Text& text,
                    const std::vector<const ast::Unit*>& imports) {
    Reading reading;
    reading.stream = lex(text);
    TokenStream& stream = reading.stream;
    reading.skipped = markDeadBranches(stream, noCode);
    pairBrackets(stream);

    diagnostics::Engine found;
    Filter filter(stream, found, SchemaStart::None);
    declareKnownTypes(filter);
    for (const ast::Unit* import : imports) declareImported(filter, import->root);
    TreeBuilder tree(*reading.arena, stream);
    SyntaxErrors errors(filter, found);
    Parser parser(filter, tree, errors);
    reading.isComplete = parser.parse() == 0;
    if (reading.isComplete) reading.root = tree.root();
    reading.hasExtensions = filter.sawExtension() || filter.scanner().holdsExtension(
                                                         0, static_cast<int>(stream.tokens.size()));
    if (reading.hasExtensions) reportDamages(stream, found, reading.errors);
    for (const diagnostics::Diagnostic& error : reading.errors.all())
        noteBranch(filter, error.span.begin, reading);
    return reading;
}

// Prose under `#ifdef NEVER` is no code: if there are fewer errors without the branches that they
// stand in, these are passed through as they are.
Reading bestReading(const source::Text& text, const std::vector<const ast::Unit*>& imports) {
    BranchSet noCode;
    Reading best = readWithout(noCode, text, imports);
    BranchSet wrong = best.wrong;
    for (int round = 0; round < 8 && !std::ranges::includes(noCode, wrong); ++round) {
        noCode.insert(wrong.begin(), wrong.end());
        Reading next = readWithout(noCode, text, imports);
        wrong = next.wrong;
        if (next.errors.errorCount() < best.errors.errorCount()) best = std::move(next);
    }
    return best;
}

}  // namespace

ast::Unit parse(const source::Text& text, diagnostics::Engine& engine,
                std::vector<const ast::Unit*> imports) {
    ast::Unit unit;
    unit.text = &text;
    unit.arena = std::make_shared<ast::Arena>();
    unit.imports = std::move(imports);
    const std::size_t binary = text.content().find('\0');
    if (binary != std::string_view::npos) {
        const auto offset = static_cast<uint32_t>(binary);
        auto report = engine.report(diagnostics::Id::BinaryFile, {&text, offset, offset + 1});
        if (isUtf16(text.content())) report.help("the text is UTF-16; save it as UTF-8");
        unit.root = opaqueUnit(*unit.arena, text);
        unit.whole = std::make_shared<ast::Whole>(text, unit.root);
        return unit;
    }
    Reading reading = bestReading(text, unit.imports);
    for (const diagnostics::Diagnostic& error : reading.errors.all()) engine.adopt(error);
    unit.arena = reading.arena;
    unit.root = wholeUnit(*unit.arena, text, reading.root);
    unit.whole = std::make_shared<ast::Whole>(text, unit.root);
    unit.hasExtensions = reading.hasExtensions;
    collectIdentifiers(reading.stream, unit);
    // Whatever goes wrong, HPspmd syntax is never passed through untranslated in silence.
    if (!reading.isComplete && unit.hasExtensions && !engine.hasErrors())
        engine.report(diagnostics::Id::ExtensionNotUnderstood, {&text, 0, 0},
                      "the structure of this file");
    reportSkippedBranches(reading.stream, reading.skipped, engine);
    reportCutConstructs(reading.stream, unit.root, engine);
    reportMacros(reading.stream, engine);
    reportAttributes(reading.stream, engine);
    engine.sort();
    return unit;
}

ast::NodePtr parseSchema(ast::Arena& arena, const source::Text& schema, ast::SchemaPart part) {
    diagnostics::Engine engine;
    TokenStream stream = lex(schema);
    pairBrackets(stream);
    Filter filter(stream, engine, startOf(part));
    declareKnownTypes(filter);
    TreeBuilder tree(arena, stream);
    SyntaxErrors errors(filter, engine);
    Parser parser(filter, tree, errors);
    if (parser.parse() != 0 || engine.hasErrors() || hasOpaque(tree.root()))
        badSchema(schema, "is no legal C++");
    const NodePtr root = tree.root();
    const bool isList = root->is<ast::Sequence>() || root->is<ast::TranslationUnit>();
    const ast::NodePtr first = isList ? root->child(0) : root;
    if (first && first->span().begin != schema.content().find_first_not_of(" \n"))
        badSchema(schema, "begins with an attribute, which would be lost");
    return isList && root->children().size() == 1 ? first : root;
}

std::string printTokens(const source::Text& text) {
    TokenStream stream = lex(text);
    markDeadBranches(stream);
    pairBrackets(stream);
    std::string out;
    for (int i = 0; i + 1 < static_cast<int>(stream.tokens.size()); ++i) {
        const source::Position position = stream.spanOf(i).position();
        out += std::to_string(position.line) + ":" + std::to_string(position.column) + "\t" +
               std::string(stream.textOf(i)) + (stream.tokens[i].dead ? "\t(skipped)" : "") + "\n";
    }
    return out;
}

}  // namespace hpcc::syntax
