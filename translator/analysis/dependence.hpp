// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether two accesses to one array reach one element, and in which iterations.
#pragma once

#include "analysis/reader.hpp"

namespace hpcc::analysis {

// Two accesses to one array, 0 and 1, each in an iteration of its own: what must hold if both run
// and reach one element. Conditions round them and bounds of loops count only where asked for.
class CommonElement {
public:
    CommonElement(const IterationSpace& space, Reader& reader, const Access& first,
                  const Access& second);

    // One for each dimension in which the subscripts can be compared; each is 0.
    const std::vector<Sum>& equations() const { return equations_; }

    // Each dimension is subscripted by numbers, or by indices of one range; and the parts, once
    // they have been compared, are reached by the same names.
    bool isComparable() const { return isComparable_; }

    // Reaches parts of the elements as well: a[i].mass, a[i].u[1]; false if these are others.
    bool comparesParts();

    void require(const System& system) { system_.add(system); }
    void requireBounds();
    void requireGuards();

    // Some iterations may meet for which one of these is more, or less, than 0.
    bool mayDiffer(const std::vector<Sum>& differences) const;
    bool mayBeZero(const Sum& difference) const;

private:
    void compare(const Subscript& to, const Subscript& from);
    void same(const Sum& difference);
    System completed() const;

    const IterationSpace& space_;
    Reader& reader_;
    const Access &first_, &second_;
    System system_;
    std::vector<Sum> equations_;
    bool isComparable_ = true;
};

// One step into an element: a Subscript, or a Member: by `e.u`, `p->u`, or `u` in its class.
struct Step {
    NodePtr node;

    bool isMember() const;
    NodePtr name() const;       // of a member
    NodePtr subscript() const;  // null of a member, and of p[]
};
// mass of a[i].mass, u and 1 of a[i].u[1]; nothing for the whole element.
std::vector<Step> stepsInto(const std::vector<NodePtr>& path);
// True if two steps from one place lead to parts without a common byte, as far as their names tell.
// False for a union, and for a member and an operator.
bool leadApart(const Step& one, const Step& other);

// The index that a subscript shifts, and its loop, which is null for one round the nest; the name
// is null if it shifts none.
struct ShiftedIndex {
    NodePtr name = nullptr;
    const Loop* loop = nullptr;
};
ShiftedIndex shiftedIndex(const IterationSpace& space, NodePtr subscript, const Loop* place);

// In which iterations of a loop two accesses meet: in none, in one and the same, in those so far
// from one another, or perhaps in any.
struct Meeting {
    enum class Kind { Never, SameIteration, Distance, Perhaps };

    Kind kind = Kind::Perhaps;
    long distance = 0;  // of the second access's iteration from the first one's

    // No iteration reaches what another one reaches.
    bool isApart() const { return kind == Kind::Never || kind == Kind::SameIteration; }
};

// Of the iterations of the loops round it: one and the same, or any two.
enum class Outer { One, Any };

// Of two accesses to one element: whether both always count, or only if they reach the same part of
// it, as a[i].mass and a[i].u[1] do not.
enum class Parts { All, Common };

// An element of rows of so many that lie one behind the other: `i * n + j`, if 0 <= j < n there.
struct Cell {
    Sum row, column;
};

// Answers that for one nest, or for several as if they were one.
//
//     overall (i = x for 1 : n - 2)                             of i:
//         overall (j = y for 1 + (i` + it) % 2 : n - 2 : 2)     i + j is odd or even throughout,
//             a[i, j] = a[i - 1, j] + a[i, j + 1];              and i - 1 + j the other: Never
//
//     for (int k = 0; k < n; ++k) a[i, k] = a[i, k + 3];        of k: Distance, -3
class Dependences {
public:
    explicit Dependences(const std::vector<NodePtr>& nests,
                         std::optional<IterationSpace::Names> changed = std::nullopt)
        : space_(nests, std::move(changed)), reader_(space_) {}

    // The loop has both subscripts inside; it is named by its OverallHeader, At or For.
    Meeting meeting(NodePtr first, NodePtr second, NodePtr loop, Outer outer = Outer::One,
                    Parts parts = Parts::All);

    // From here on arrays of one dimension are such rows; null if they are not.
    void setWidth(NodePtr width) { width_ = width; }
    // Nothing if it is not known in which row an access is.
    std::optional<Cell> cellOf(const Access& access, int iteration);

    IterationSpace& space() { return space_; }
    Reader& reader() { return reader_; }

private:
    bool isInRow(const Access& access, const Sum& column, const Sum& width);

    IterationSpace space_;
    Reader reader_;
    NodePtr width_ = nullptr;
};

}  // namespace hpcc::analysis
