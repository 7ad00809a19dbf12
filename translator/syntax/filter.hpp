// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classifying filter between the token vector and the LALR(1) parser.
//
// C++ is not LALR(1), but with look-ahead of any length and a table of names each of its
// ambiguities can be settled before the parser sees the token. The filter gives each token its role
// ("(" of a cast, of parameters, plain ..), inserts zero-width markers (DECLARATION, CONSTRUCTOR,
// TYPE) and collapses runs that the grammar need not see. It runs at most one token ahead of the
// parser.
#pragma once

#include "syntax/scanner.hpp"

#include <optional>
#include <unordered_map>

namespace hpcc::syntax {

// What the parser gets: a token kind and the tokens it stands for.
struct Delivery {
    int kind;
    int first;
    int last;
};

enum class SchemaStart : uint8_t { None, Expression, Statements, Declaration, Type };

class Filter {
public:
    Filter(TokenStream& stream, diagnostics::Engine& errors, SchemaStart start);

    Delivery next();

    // Called by the parser's actions, and beforehand with the names of imports.
    void declare(std::string_view name, NameKind kind);

    // Called by the parser on a syntax error at token `at`; the next delivery is one opaque token.
    struct Damage {
        int begin;
        int end;
        bool isOurs;  // HPspmd is involved, so the error is ours to report
    };
    Damage startRecovery(int at);

    bool sawExtension() const { return sawExtension_; }
    const Scanner& scanner() const { return scan_; }
    const TokenStream& stream() const { return stream_; }
    const NameTable& names() const { return names_; }

private:
    enum class ScopeKind : uint8_t { Namespace, Class, Block };
    struct Scope {
        ScopeKind kind;
        NameId className = noName;
        int statement = 0;           // where its current statement or declaration starts
        int openDos = 0;             // do statements whose `while` has not been met
        bool endsDo = false;         // its current statement is the `while (..);` of a do
        std::size_t nameScopes = 0;  // open scopes of names_, its own included
        int parentheses = 0;         // open ones in that statement
    };
    struct Parameter {
        NameId name;
        NameKind kind;
    };
    struct Declarator {
        int end;
        int parameters = -1;  // its parameter list's '('
    };

    bool inBlock() const { return scopes_.back().kind == ScopeKind::Block; }
    Token& token(int i) { return stream_.tokens[i]; }
    int raw(int i) const { return scan_.raw(i); }
    int nextOf(int i) const { return scan_.next(i); }
    int previousOf(int i) const { return scan_.previous(i); }
    Delivery collapsed(int kind, int first, int end);  // end: one past the last token
    Delivery opaque(int kind, int first, int end);
    void kill(int begin, int end);
    void applyPendingScope();
    void openScope();
    void closeNamesTo(std::size_t scopes);
    std::optional<Delivery> schemaStart();

    // ---- filter_declarations.cpp: starts of declarations, classes
    std::optional<Delivery> startDeclaration(int i);
    std::optional<Delivery> startSpecialDeclaration(int i);
    Delivery startMisplacedStatement(int i);
    std::optional<Delivery> startTemplate(int i);
    std::optional<Delivery> startNamespace(int i);
    std::optional<Delivery> startMacroDeclaration(int i);
    Delivery startPlainDeclaration(int i);
    int skipLeadingMacros(int i);
    int templateParametersEnd(int less) const;
    void declareTemplateParameters(int less, int end);
    void prepareClass(int i);
    void prepareEnum(int i);
    void prepareClassBody(int classKey, int i, int nameToken);

    // ---- filter_declarators.cpp: parameters, qualifiers, types
    void classifyDeclaration(int i, bool bareNamesAreParameters);
    Declarator classifyDeclarator(int i, bool bareNamesAreParameters);
    int classifyParenthesized(int paren, Declarator& result);
    int markPointers(int i, int& count);
    void markParameters(int paren);
    int markQualifiers(int i);
    void markFunctionBody(int behindQualifiers, int parameters);
    void markType(int i);
    void markTemplateArguments(int less, bool firstIsType);
    int skipToComma(int i, int limit) const;  // ',' ';' closer or limit; stops at a function body

    // ---- filter_statements.cpp
    std::optional<Delivery> startStatement(int i);
    std::optional<Delivery> startNamedStatement(int i);
    void markHead(int paren, bool mayDeclare);
    bool endsDo(int i);
    void markCaseColon(int i);
    void markOverallHeaders(int paren);
    void markAlias(int i);

    // ---- filter_expressions.cpp: one token at a time
    Delivery classify(int i);
    Delivery classifyKeyword(int i);
    Delivery classifyBracket(int i);
    Delivery classifyIdentifier(int i);
    Delivery classifyOperator(int i);
    Delivery openParenthesis(int i);
    Delivery openBracket(int i);
    bool holdsStatements(int brace) const;
    bool isDecltypeEnd(int i) const {  // the ')' of decltype(..)
        return raw(i) == T::RPAREN && scan_.match(i) >= 0 &&
               raw(previousOf(scan_.match(i))) == T::DECLTYPE;
    }
    Delivery openBrace(int i);
    Delivery closeBrace(int i);
    Delivery closeSlots(int i);
    Delivery scopeOperator(int i);
    bool markLambda(int bracket);
    bool takesOpaqueArguments(int i) const;
    Delivery plain(int kind, int i) { return {kind, i, i}; }

    TokenStream& stream_;
    diagnostics::Engine& errors_;
    NameTable names_;
    Scanner scan_;
    std::vector<Scope> scopes_{Scope{ScopeKind::Namespace}};
    int position_ = 0;
    bool atStart_ = true;  // a statement or declaration starts here
    bool recovering_ = false;
    bool givenUp_ = false;  // no way on: the parser ends
    int recoveryBegin_ = 0, recoveryEnd_ = 0;
    int opaqueBegin_ = -1;  // of the last opaque run
    int lastLabel_ = -1;    // the last ':' of a label at the end of a block
    bool sawExtension_ = false;
    SchemaStart schema_;
    // A scope opens or closes when its brace has been shifted: not if the brace itself is the
    // error.
    enum class PendingScope : uint8_t {
        None,
        Open,
        Close,
        OpenParameters,
        CloseParameters
    } pending_ = PendingScope::None;
    Scope pendingScope_{ScopeKind::Namespace};
    int pendingBrace_ = -1;
    std::unordered_map<int, NameId> classNames_;  // by '{'
    std::unordered_map<int, int> parametersOf_;   // '{' of a function body -> '(' of its parameters
    std::unordered_map<int, std::vector<Parameter>> parameterNames_;  // by '('
};

}  // namespace hpcc::syntax
