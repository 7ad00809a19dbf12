// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "emit/emit.hpp"

namespace hpcc::emit {

/// emit() for a unit that comes in pieces (ast/pieces.hpp).
class Emitter {
public:
    Emitter(const ast::Unit& unit, const Options& options);
    ~Emitter();

    /// So many bytes of source will come.
    void expect(size_t bytes);
    void add(ast::NodePtr piece);
    /// The text of several that follow each other. Behind each but the last, a newline comes next,
    /// with nothing but blanks in front of it.
    static std::string text(const std::deque<Emitter>& emitters);
    /// The directives that stand in no text of theirs: passes have replaced what was round them.
    static std::vector<source::Span> lostDirectives(const std::deque<Emitter>& emitters);

private:
    class Printer;
    Options options_;
    const source::Text& file_;
    std::unique_ptr<Printer> printer_;
};

}  // namespace hpcc::emit
