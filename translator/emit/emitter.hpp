#pragma once

#include <memory>

#include "emit/emit.hpp"

namespace hpcc::emit {

/// emit() for a unit that comes in pieces (ast/pieces.hpp).
class Emitter {
public:
    Emitter(const ast::Unit& unit, const Options& options);
    ~Emitter();

    void add(ast::NodePtr piece);
    /// What another one was given follows. Between the two texts stands a newline, with nothing
    /// but blanks in front of it.
    void append(const Emitter& next);
    std::string text() const;

private:
    class Printer;
    Options options_;
    const source::Text& file_;
    std::unique_ptr<Printer> printer_;
};

}  // namespace hpcc::emit
