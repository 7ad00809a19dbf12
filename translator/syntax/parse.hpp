// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text -> tree: lexer, bracket pass, classifying filter, LALR(1) parser.
//
// The whole file is parsed. C++ that the grammar does not know becomes OpaqueDeclaration or
// OpaqueStatement, without a message unless HPspmd syntax is involved. The text must outlive the
// unit.
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"

#include <string>
#include <vector>

namespace hpcc::syntax {

ast::Unit parse(const source::Text& text, diagnostics::Engine& engine,
                std::vector<const ast::Unit*> imports = {});

// For ast::Quoter. Ends the program with a message if the schema is no legal C++.
ast::NodePtr parseSchema(ast::Arena& arena, const source::Text& schema, ast::SchemaPart part);

// One token per line, for --emit=tokens.
std::string printTokens(const source::Text& text);

}  // namespace hpcc::syntax
