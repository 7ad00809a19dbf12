// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Look-ahead of any length over the token vector: pure functions of raw kinds, bracket pairs and
// known names. Each answers "what stands here, and where does it end"; -1 means "nothing of that
// sort".
#pragma once

#include "syntax/name_table.hpp"
#include "syntax/token.hpp"

namespace hpcc::syntax {

// A run of declaration specifiers.
struct SpecifierScan {
    int end = -1;          // token behind them
    bool certain = false;  // surely a type: keyword, known type name, multiarray dimensions
    bool simple = false;   // the type is one plain identifier
    int head = -1;         // first token of a named type
    bool isAuto = false;
    int classKey = -1;  // of "class X {..}" or "enum {..}"
    explicit operator bool() const { return end >= 0; }
};

struct TypeScan {
    int end = -1;
    bool certain = false;
    explicit operator bool() const { return end >= 0; }
};

// The part of the head of a statement, which ends with `;` or with the head.
enum class HeadPart { None, First, Later };

class Scanner {
public:
    Scanner(const TokenStream& stream, const NameTable& names);

    // ---- tokens
    const Token& token(int i) const { return stream_.tokens[i]; }
    int raw(int i) const { return i < 0 ? -1 : token(i).raw; }
    NameId name(int i) const { return i < 0 ? noName : token(i).name; }
    std::string_view text(int i) const { return stream_.textOf(i); }
    int next(int i) const;      // the live token behind i
    int previous(int i) const;  // -1 at the beginning
    int match(int i) const { return token(i).match; }
    bool isOpener(int i) const;  // with a partner
    bool isCloser(int i) const;
    int behind(int opener) const { return next(match(opener)); }
    bool matched(int i, int kind) const { return raw(i) == kind && match(i) >= 0; }

    // ---- names and templates
    int qualifiedName(int i) const;         // token behind a::b<c>::d, or -1
    int templateEnd(int less) const;        // the '>' of template arguments, or -1; memoised
    bool isTemplate(int identifier) const;  // the '<' behind it opens template arguments
    int memberPointer(int i) const;         // the '*' of A::B::*, or -1
    int operatorEnd(int i) const;           // last token of "operator .."

    // ---- types
    SpecifierScan specifiers(int i) const;
    int pointers(int i, int& count) const;    // token behind * & && cv
    TypeScan type(int i) const;               // a whole type-id
    int elementPointersEnd(int i) const;      // `[[` of int *const [[-]], seen from its `*`
    bool isEmptySection(int brackets) const;  // `s[[]]` of a variable s: no type of rank 0
    bool isParameterList(int paren, bool bareNamesToo) const;
    bool isCast(int paren) const;

    // ---- declarations and statements
    bool isInitialized(int i, HeadPart part) const;
    bool isDeclaration(int i, HeadPart part) const;
    int qualifiersEnd(int i) const;  // behind const noexcept override -> T requires ..
    int requiresEnd(int i) const;    // token behind a requires clause
    int constructorNameEnd(
        int i, NameId className) const;  // the '(' of a constructor, destructor, conversion; or -1
    int functionBody(
        int behindQualifiers) const;  // the '{' of a function body, over initialisers; or -1
    int statementEnd(int i) const;    // one past its last token; stops at a '}' that is not its own
    int declarationEnd(int i) const;  // the same at namespace and class scope
    int macroHeadEnd(int i) const;    // ')' of MACRO(..) that controls a statement, or -1
    int leadingMacros(
        int i) const;  // token behind EXPORT_MACRO(..) before a declaration; i if there is none
    bool isMacroName(int i) const;  // an unknown identifier in capitals

    // ---- HPspmd
    bool isOn(int i) const;                    // on (g) S
    bool isOnWithoutParentheses(int i) const;  // on g { S; }
    bool isAt(int i) const;                    // at (i = ..) S
    bool isOverall(int i) const;  // overall (i = x for ..) S, at the start of a statement
    int constructBehindMacros(
        int i) const;  // the word behind PARALLEL, or i: PARALLEL overall (..)
    bool isOverallExpression(int i) const;
    bool holdsExtension(int begin, int end) const;     // in the tokens alone
    bool involvesExtension(int begin, int end) const;  // tokens, or a multiarray or index named
    bool atStatementStart(int i) const;
    bool startsStatement(int i) const;  // a token that no expression can go on with

    // The tokens [begin, end) of a piece of the text.
    void tokensIn(source::Span span, int& begin, int& end) const;

    bool endsOperand(int i) const;  // an operator, not an operand, comes next
    bool isFold(int ellipsis) const;
    bool isConstruct(int i) const { return isOn(i) || isAt(i) || isOverall(i); }

private:
    int classOrEnumEnd(int i) const;
    int templateEndUncached(int less) const;
    int beforeName(int name) const;
    bool isInsideExpression(int name) const;
    HeadPart partOfHead(int name) const;  // that begins with the name
    bool mayFollowTemplate(int i, bool sawLogical) const;
    bool isBinaryOperator(int i) const;   // that is nothing else, and may stand behind a '>'
    bool mayStartStatement(int i) const;  // where an expression could go on, too
    bool hasFor(int paren) const;
    bool isSpacedDimensions(int i) const;
    int constraintEnd(int i) const;

    const TokenStream& stream_;
    const NameTable& names_;
    mutable std::vector<int32_t> templateEnds_;  // by '<'; 0: not yet known
    mutable int templateDepth_ = 0;
};

}  // namespace hpcc::syntax
