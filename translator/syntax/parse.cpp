#include "syntax/parse.hpp"

#include "syntax/brackets.hpp"
#include "syntax/branches.hpp"
#include "syntax/damage.hpp"
#include "syntax/declared_name.hpp"
#include "syntax/late_checks.hpp"
#include "syntax/lexer.hpp"
#include "syntax/syntax_errors.hpp"

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

void collectIdentifiers(const TokenStream& stream, ast::Unit& unit) {
    std::vector<bool> seen(static_cast<std::size_t>(stream.names.count()), false);
    for (const Token& token : stream.tokens)
        if (token.name >= 0 && !seen[token.name]) {
            seen[token.name] = true;
            unit.identifiers.insert(stream.names.text(token.name));
        }
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
        engine.report(diagnostics::Id::BinaryFile, {&text, offset, offset + 1});
        unit.root = opaqueUnit(*unit.arena, text);
        unit.whole = std::make_shared<ast::Whole>(text, unit.root);
        return unit;
    }
    TokenStream stream = lex(text);
    const std::vector<Directive> skipped = markDeadBranches(stream);
    pairBrackets(stream);

    diagnostics::Engine found;
    Filter filter(stream, found, SchemaStart::None);
    declareKnownTypes(filter);
    for (const ast::Unit* import : unit.imports) declareImported(filter, import->root);
    TreeBuilder tree(*unit.arena, stream);
    SyntaxErrors errors(filter, found);
    Parser parser(filter, tree, errors);
    const bool complete = parser.parse() == 0;

    unit.root = wholeUnit(*unit.arena, text, complete ? tree.root() : nullptr);
    unit.whole = std::make_shared<ast::Whole>(text, unit.root);
    unit.hasExtensions = filter.sawExtension() ||
                         filter.scanner().holdsExtension(0, static_cast<int>(stream.tokens.size()));
    collectIdentifiers(stream, unit);
    if (unit.hasExtensions) reportDamages(stream, found, engine);
    // Whatever goes wrong, HPspmd syntax is never passed through untranslated in silence.
    if (!complete && unit.hasExtensions && !engine.hasErrors())
        engine.report(diagnostics::Id::ExtensionNotUnderstood, {&text, 0, 0},
                      "the structure of this file");
    reportSkippedBranches(stream, skipped, engine);
    reportMacros(stream, engine);
    reportAttributes(stream, engine);
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
