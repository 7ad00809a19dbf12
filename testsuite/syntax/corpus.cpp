// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "ast/print.hpp"
#include "diagnostics/render.hpp"

namespace hpcc::testing {
namespace {

int countOpaque(ast::NodePtr node) {
    if (!node) return 0;
    int count = node->is<ast::OpaqueDeclaration>() || node->is<ast::OpaqueStatement>() ||
                node->is<ast::OpaqueExpression>();
    for (ast::NodePtr child : node->children()) count += countOpaque(child);
    return count;
}

}  // namespace

std::string Parsed::errors() const { return diagnostics::render(engine); }

std::vector<std::string> Parsed::places() const {
    std::vector<std::string> places;
    for (const diagnostics::Diagnostic& d : engine.all()) {
        const source::Position at = d.span.position();
        places.push_back(diagnostics::codeName(d.id) + " at " + std::to_string(at.line) + ":" +
                         std::to_string(at.column));
    }
    return places;
}

bool Parsed::isIdentical() const { return ast::print(unit.root) == text.content(); }

int Parsed::opaqueCount() const { return countOpaque(unit.root); }

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> corpusNames(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(HPCPP_SYNTAX_CORPUS "/" + folder))
        if (entry.path().extension() == ".hpcpp") names.push_back(entry.path().stem());
    std::sort(names.begin(), names.end());
    return names;
}

std::string corpusPath(const std::string& folder, const std::string& name) {
    return HPCPP_SYNTAX_CORPUS "/" + folder + "/" + name + ".hpcpp";
}

std::vector<std::string> marked(const std::string& text, const std::string& key) {
    std::vector<std::string> found;
    const std::string mark = key + ": ";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        const std::size_t begin = at + mark.size();
        found.push_back(text.substr(begin, text.find_first_of("\r\n", begin) - begin));
    }
    return found;
}

}  // namespace hpcc::testing
