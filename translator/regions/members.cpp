// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of objects get names of their own.
#include "regions/members.hpp"

#include <algorithm>

#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "regions/edits.hpp"
#include "regions/flat_rows.hpp"
#include "regions/marked.hpp"
#include "regions/numbers.hpp"
#include "regions/paths.hpp"
#include "regions/places.hpp"
#include "regions/regions.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

bool isOwn(NodePtr node) {
    return node->is<ast::PointerMember>() &&
           node->child(ast::PointerMember::base)->text() == "this";
}

// s_a for s.a
std::string joined(std::string_view text) {
    std::string name;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    return name;
}

class Naming {
public:
    explicit Naming(const ast::Unit& unit) : unit_(unit) {}

    Edits edits;

    void visit(NodePtr node) {
        if (!node || node->is<ast::Lambda>()) return;
        if (node->is<ast::FunctionDefinition>() &&
            !dividedParameters(ast::parametersOf(node)).empty())
            return;
        const bool isMarked = node->is<ast::Attributed>() && attributeOf(node, "overall") &&
                              attributedNode(node)->is<ast::For>();
        if (isMarked) return write(node);
        for (const NodePtr child : node->children()) visit(child);
    }

private:
    void write(NodePtr marked) {
        const NodePtr loop = attributedNode(marked);
        const FixedPaths paths(loop);
        Named named;
        for (const auto& [text, member] : membersOfLoop(loop, unit_.root))
            if (isPartOfObject(member) || paths.contains(member)) add(named, member, "auto& ");
        addParts(named, loop, paths);
        std::string runs;
        const auto isFollowed = [&](NodePtr each) { return paths.isFollowedAnyway(each); };
        if (!std::ranges::all_of(named.members, isFollowed)) {
            runs = paths.runsAtAll();
            if (runs.empty()) return;
        }
        if (named.members.empty()) return;
        for (const NodePtr each : named.members) rename(marked, each, named.names.at(each->text()));
        const std::string condition = runs.empty() ? "" : "if (" + runs + ") { ";
        edits.before(marked->span().begin, "{ " + condition + named.declarations);
        edits.behind(marked->span().end, runs.empty() ? " }" : " } }");
    }

    // What a loop names, in the order of its text.
    struct Named {
        std::vector<NodePtr> members;
        std::map<std::string_view, std::string> names;
        std::string declarations;
    };

    void add(Named& named, NodePtr member, const std::string& type) {
        const std::string own = isMember(member) ? "" : "own_";
        std::string name = freshName(own + joined(member->text()), unit_);
        const auto isTaken = [&](const auto& each) { return each.second == name; };
        while (std::ranges::any_of(named.names, isTaken)) name += '_';
        if (!named.names.emplace(member->text(), name).second) return;
        named.members.push_back(member);
        named.declarations += type + name + " = " + std::string(member->text()) + "; ";
    }

    // Arrays that are read, numbers of objects that pointers lead to, and what counts rows: such a
    // loop changes no such numbers.
    void addParts(Named& named, NodePtr loop, const FixedPaths& paths) {
        ast::anywhere(loop, [&](NodePtr each) {
            if (isMember(each) && isNumber(each->type) && !isPartOfObject(each) &&
                paths.contains(each))
                add(named, each, "const auto ");
            if (each->is<ast::Subscript>())
                addFactors(named, each->child(ast::Subscript::subscripts), paths);
            const NodePtr array = arrayOf(each);
            if (isMember(array) && !isPartOfObject(array) && hasOwnElements(array->type) &&
                paths.contains(array))
                add(named, array, "auto& ");
            return false;
        });
    }
    // a of a[i][j] and a.size()
    static NodePtr arrayOf(NodePtr node) {
        if (node->is<ast::Subscript>()) return rootOf(node);
        const NodePtr callee =
            node->is<ast::Call>() ? bare(node->child(ast::Call::callee)) : nullptr;
        const bool isSize =
            ast::is<ast::Member>(callee) && callee->child(ast::Member::name)->text() == "size";
        return isSize ? bare(callee->child(ast::Member::base)) : nullptr;
    }
    void addFactors(Named& named, NodePtr subscripts, const FixedPaths& paths) {
        for (const NodePtr each : ast::allOf<ast::Binary>(subscripts)) {
            if (each->child(ast::Binary::op)->text() != "*") continue;
            for (NodePtr factor :
                 {each->child(ast::Binary::left), each->child(ast::Binary::right)}) {
                factor = withoutCasts(factor);
                if (ast::isInteger(factor->type) && paths.contains(factor))
                    add(named, factor, "const auto ");
            }
        }
    }

    void rename(NodePtr node, NodePtr named, const std::string& name) {
        if (!node) return;
        if (node->kind() == named->kind() && node->text() == named->text())
            return edits.replace(node->span(), name);
        if (isMember(node)) return rename(node->child(0), named, name);
        for (const NodePtr child : node->children()) rename(child, named, name);
    }

    const ast::Unit& unit_;
};

}  // namespace

bool isMember(NodePtr node) { return ast::isAny<ast::Member, ast::PointerMember>(node); }

NodePtr objectOf(NodePtr member) {
    while (isMember(member)) member = bare(member->child(0));
    return member;
}

bool isPartOfObject(NodePtr member) {
    const bool isOneLine = member->text().find('\n') == std::string_view::npos;
    if (!isMember(member) || !isOneLine) return false;
    while (ast::is<ast::Member>(member)) member = bare(member->child(ast::Member::base));
    return ast::is<ast::Identifier>(member) || (member && isOwn(member));
}

std::string nameless(NodePtr array, bool isMarked) {
    const std::string text(array->text());
    if (!isMember(array)) return diagnostics::quoted(text) + " has no name of its own";
    const std::string_view name = array->child(1)->text();
    return diagnostics::quoted(text) + " is a part of an object: name it before, `" +
           (isMarked ? "auto& " : "[[hpspmd::dist]] auto& ") + std::string(name) + " = " + text +
           ";`";
}

bool hasOwnElements(const ast::Type* type) {
    return type && (type->kind == ast::TypeKind::CArray ||
                    (isContiguous(type) && type->classSymbol->name != "span"));
}

Memory memoryOf(NodePtr read, NodePtr function) {
    const Symbol* const symbol = objectOf(read)->symbol;
    const ast::Type* const type = symbol ? symbol->type : nullptr;
    if (!symbol) return Memory::Shared;  // this
    const bool isReference =
        (type && type->isReference) || (isMember(read) && read->type && read->type->isReference);
    if (symbol->kind == ast::SymbolKind::Variable && symbol->declaration &&
        function->span().contains(symbol->declaration->span())) {
        const bool isHandle = type && (type->kind == ast::TypeKind::Multiarray ||
                                       (isContiguous(type) && !hasOwnElements(type)));
        return isReference || isHandle ? Memory::Handle : Memory::Own;
    }
    const bool isValue =
        isNumber(type) && (type->isConst || symbol->kind == ast::SymbolKind::Parameter);
    return isValue && !isReference ? Memory::Own : Memory::Shared;
}

std::string whyNotOwn(NodePtr changed, NodePtr object, const Operation* reduced) {
    const std::string name = quoted(object->text());
    const std::string changes = quoted(changed->text()) + " is changed in it: ";
    if (changed == object) return changes + "declare it inside, or name it in reduce";
    if (!reduced)
        return changes + "declare " + name +
               " inside, or let reduce combine it by a function of the file, `reduce(f : " +
               std::string(object->text()) + ")`";
    if (reduced->isSign()) return changes + "reduce combines " + name + " as a whole";
    return changes + "write all of " + name + ", or members of it, anew, or `" +
           std::string(object->text()) + " = " + std::string(reduced->sign) + "(" +
           std::string(object->text()) + ", ..)`";
}

std::string whyNotDivided(NodePtr array, bool isMarked) {
    const bool isName = ast::is<ast::Identifier>(array);
    if (!isName && !(isMarked && isPartOfObject(array))) return nameless(array, isMarked);
    return diagnostics::quoted(array->text()) + " is changed in it, and " +
           (isMarked ? "its elements are not those of the loop's variable"
                     : "has no [[hpspmd::dist]]");
}

std::string whyNoArrays(NodePtr loop, NodePtr unit) {
    const auto members = membersOfLoop(loop, unit);
    return members.empty() ? "its variable subscripts no array that can be divided"
                           : nameless(members.begin()->second, true);
}

std::optional<std::string> withNamedMembers(const ast::Unit& unit) {
    Naming naming(unit);
    naming.visit(unit.root);
    if (naming.edits.isEmpty()) return std::nullopt;
    return naming.edits.appliedTo(*unit.text);
}

}  // namespace hpcc::regions
