// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>

#include "mutator.hpp"

namespace hpcc::fuzz {
namespace {

constexpr std::size_t fragmentsPerSort = 512;

/// '@' stands for what is wrapped, '$' for a name of the program.
constexpr std::array statementFrames{"overall (i = $ for :) @",
                                     "overall (i = $ for 1 : $ - 2 : 2) @",
                                     "overall (i = $ for :, j = $ for :) @",
                                     "at (i = $[0]) @",
                                     "on ($) { @ }",
                                     "{ @ }",
                                     "if ($) @",
                                     "if ($ > 1) { @ } else { return; }",
                                     "for (int $ = 0; $ < 9; ++$) @",
                                     "while ($) @",
                                     "do { @ } while (--$ > 0);",
                                     "switch ($) { case 1: @ break; default: ; }",
                                     "[&] { @ }();",
                                     "[=](int $) mutable { @ }($);",
                                     "try { @ } catch (...) { }",
                                     "for (auto &$ : $) @",
                                     "if (!$) return; @",
                                     "@ break;",
                                     "again: @ goto again;",
                                     "Adlib::writeHalo($); @",
                                     "#if X\n@\n#endif\n",
                                     "if ($ == 0) @ else ;",
                                     "const auto $ = $; @",
                                     "overall ($ = $ for $) @"};
constexpr std::array expressionFrames{"(@)",
                                      "-@",
                                      "@ + 1",
                                      "1 - @",
                                      "@ * $",
                                      "$(@)",
                                      "$[@]",
                                      "@[$]",
                                      "@[[0]]",
                                      "@[[:]]",
                                      "@[[1 : 3]]",
                                      "@[[:, 0]]",
                                      "@[i]",
                                      "@[i + 1]",
                                      "@`",
                                      "@ ? @ : $",
                                      "@ = @",
                                      "@ += 1",
                                      "@++",
                                      "static_cast<int>(@)",
                                      "double(@)",
                                      "Adlib::sum(@)",
                                      "$.$(@)",
                                      "&@",
                                      "*@",
                                      "!@",
                                      "@ == @",
                                      "@ && $",
                                      "@ % 2",
                                      "std::move(@)",
                                      "[&] { return @; }()",
                                      "new double [[@]]",
                                      "new double [[@]] on $",
                                      "@.rng(0)",
                                      "{@}",
                                      "@, @",
                                      "overall (i = $ for :) @",
                                      "Adlib::sum(overall (i = $ for :) @)",
                                      "@ << @",
                                      "(double) @"};
constexpr std::array numbers{"0",
                             "1",
                             "2",
                             "3",
                             "-1",
                             "7",
                             "1000",
                             "2147483647",
                             "2147483648",
                             "9223372036854775807",
                             "9223372036854775808",
                             "1e308",
                             "0x10",
                             "1.5f",
                             "18446744073709551616",
                             "0.0",
                             "'a'",
                             "true"};
constexpr std::array operators{"+",  "-",  "*",  "/",  "%",  "==", "!=", "<",  ">",
                               "<=", ">=", "&&", "||", "&",  "|",  "^",  "<<", ">>",
                               "=",  "+=", "-=", "*=", "++", "--", "!",  "~"};

std::string replaced(const std::string& text, const Place& place, std::string_view by) {
    return text.substr(0, place.begin) + std::string(by) + text.substr(place.end);
}

bool areDisjoint(const Place& a, const Place& b) { return a.end <= b.begin || b.end <= a.begin; }

class TreeMutation {
public:
    TreeMutation(const Program& program, const Fragments& fragments, Random& random)
        : program_(program), fragments_(fragments), random_(random), text_(program.content()) {}

    std::string mutated() {
        const Place& place = random_.oneOf(program_.places());
        switch (random_.below(10)) {
        case 0:
            return exchanged(place);
        case 1:
        case 2:
            return replaced(text_, place, program_.textOf(partnerOf(place)));
        case 3:
        case 4:
            return withFragment(place);
        case 5:
            return withoutElement(elementAround(place));
        case 6:
            return withElementTwice(elementAround(place));
        case 7:
            return wrapped(place);
        case 8:
            return withStatement(place);
        default:
            return withOtherWord(place);
        }
    }

private:
    /// Of the same sort, or standing in the same sort of list.
    const Place& partnerOf(const Place& place) {
        const bool byParent = random_.oneIn(4);
        std::vector<const Place*> partners;
        for (const Place& other : program_.places()) {
            const bool fits = byParent ? other.parent->kind() == place.parent->kind() &&
                                             (other.slot == place.slot || isElement(place))
                                       : other.sort == place.sort;
            if (fits) partners.push_back(&other);
        }
        return partners.empty() ? place : *random_.oneOf(partners);
    }

    std::string exchanged(const Place& place) {
        const Place& other = partnerOf(place);
        if (!areDisjoint(place, other)) return replaced(text_, place, program_.textOf(other));
        const Place &first = place.begin < other.begin ? place : other,
                    &second = place.begin < other.begin ? other : place;
        return text_.substr(0, first.begin) + std::string(program_.textOf(second)) +
               text_.substr(first.end, second.begin - first.end) +
               std::string(program_.textOf(first)) + text_.substr(second.end);
    }

    std::string withFragment(const Place& place) {
        const std::string_view fragment = fragments_.oneOf(place.sort, random_);
        return fragment.empty() ? text_ : replaced(text_, place, fragment);
    }

    static bool isElement(const Place& place) {
        return ast::arityOf(place.parent->kind()) == ast::Arity::List;
    }

    const Place& elementAround(const Place& place) {
        const Place* found = &place;
        for (const Place& other : program_.places())
            if (isElement(other) && other.begin <= place.begin && place.end <= other.end)
                found = &other;
        return *found;
    }

    /// With the comma that joins it to its neighbour.
    std::string withoutElement(const Place& place) {
        uint32_t begin = place.begin, end = place.end;
        const auto siblings = place.parent->children();
        const auto slot = static_cast<std::size_t>(place.slot);
        if (slot + 1 < siblings.size() && siblings[slot + 1])
            end = siblings[slot + 1]->span().begin;
        else if (slot > 0 && siblings[slot - 1])
            begin = siblings[slot - 1]->span().end;
        return text_.substr(0, begin) + text_.substr(end);
    }

    std::string withElementTwice(const Place& place) {
        const std::string joint = ast::isStatement(place.node) ? " " : ", ";
        return text_.substr(0, place.begin) + std::string(program_.textOf(place)) + joint +
               text_.substr(place.begin);
    }

    std::string wrapped(const Place& place) {
        if (ast::isExpression(place.node))
            return replaced(text_, place, framed(random_.oneOf(expressionFrames), place));
        if (ast::isStatement(place.node))
            return replaced(text_, place, framed(random_.oneOf(statementFrames), place));
        return withFragment(place);
    }

    std::string framed(std::string_view frame, const Place& place) {
        std::string text;
        for (const char c : frame) {
            if (c == '@')
                text += program_.textOf(place);
            else if (c == '$')
                text += name();
            else
                text += c;
        }
        return text;
    }

    std::string withStatement(const Place& place) {
        const Place* before = nullptr;
        for (const Place& other : program_.places())
            if (other.begin <= place.begin && place.end <= other.end &&
                ast::isStatement(other.node) && isElement(other))
                before = &other;
        if (!before) return withFragment(place);
        const std::string_view statement = fragments_.oneOf(before->sort, random_);
        return text_.substr(0, before->begin) + std::string(statement) + " " +
               text_.substr(before->begin);
    }

    std::string withOtherWord(const Place& place) {
        const Place* leaf = &place;
        for (const Place& other : program_.places())
            if (other.begin >= place.begin && other.end <= place.end &&
                other.node->children().empty() &&
                (leaf->node->children().size() || random_.oneIn(4)))
                leaf = &other;
        if (leaf->node->is<ast::Identifier>()) return replaced(text_, *leaf, name());
        if (leaf->node->is<ast::NumberLiteral>())
            return replaced(text_, *leaf, random_.oneOf(numbers));
        if (leaf->node->is<ast::Operator>())
            return replaced(text_, *leaf, random_.oneOf(operators));
        return replaced(text_, *leaf, program_.textOf(partnerOf(*leaf)));
    }

    /// An identifier of the program, more often than not.
    std::string name() {
        if (random_.oneIn(6)) return std::string(1, random_.oneOf(std::string_view("abcijnpxy")));
        for (int attempt = 0; attempt < 20; ++attempt) {
            const Place& place = random_.oneOf(program_.places());
            if (place.node->is<ast::Identifier>()) return std::string(program_.textOf(place));
        }
        return "i";
    }

    const Program& program_;
    const Fragments& fragments_;
    Random& random_;
    const std::string& text_;
};

}  // namespace

void Fragments::note(const Program& program, Random& random) {
    if (program.places().empty()) return;
    for (int i = 0; i < 4; ++i) {
        const Place& place = random.oneOf(program.places());
        auto& known = bySort_[static_cast<std::size_t>(place.sort)];
        if (place.end - place.begin > 400) continue;
        if (known.size() < fragmentsPerSort)
            known.emplace_back(program.textOf(place));
        else
            known[random.below(known.size())] = program.textOf(place);
    }
}

std::string_view Fragments::oneOf(int sort, Random& random) const {
    const auto& known = bySort_[static_cast<std::size_t>(sort)];
    return known.empty() ? std::string_view() : random.oneOf(known);
}

std::string withTreeMutated(const Program& program, const Fragments& fragments, Random& random) {
    if (program.places().empty()) return program.content();
    return TreeMutation(program, fragments, random).mutated();
}

std::string withPartOf(const Program& program, const Program& other, Random& random) {
    if (program.places().empty() || other.places().empty()) return program.content();
    const Place& part = random.oneOf(other.places());
    std::vector<const Place*> fitting;
    for (const Place& place : program.places())
        if (place.sort == part.sort) fitting.push_back(&place);
    if (!fitting.empty())
        return replaced(program.content(), *random.oneOf(fitting), other.textOf(part));
    const ast::NodePtr root = other.places().front().parent;
    const auto declarations = root->children();
    return program.content() + "\n" + std::string(random.oneOf(declarations)->text());
}

}  // namespace hpcc::fuzz
