#include "optimize/keys.hpp"

#include <algorithm>
#include <charconv>

#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::optimize {
namespace {

void addVariables(Key& key, const Key& part) {
    key.variables.insert(key.variables.end(), part.variables.begin(), part.variables.end());
    key.size += part.size;
    key.rank = std::max(key.rank, part.rank);
    key.isMovable &= part.isMovable;
    key.mayThrow |= part.mayThrow;
    key.asked.insert(key.asked.end(), part.asked.begin(), part.asked.end());
    key.hasStride |= part.hasStride;
}

/// Inquiries that answer also for a null handle.
bool neverThrows(std::string_view name) {
    return name == "data" || name == "stride" || name == "valid";
}

}  // namespace

size_t Keys::Hash::operator()(const Shape& shape) const {
    size_t hash = std::hash<std::string_view>()(shape.text);
    for (const int part :
         {static_cast<int>(shape.kind), shape.left, shape.right, shape.variable, shape.declared})
        hash = hash * 1099511628211u + static_cast<size_t>(part + 1);
    return hash;
}

int Keys::intern(Key key) {
    const Shape shape{key.kind, key.left, key.right, key.variable, key.declared, key.text};
    const auto [place, isNew] = numbers_.try_emplace(shape, size());
    if (!isNew) return place->second;
    if (key.left >= 0) addVariables(key, (*this)[key.left]);
    if (key.right >= 0) addVariables(key, (*this)[key.right]);
    std::ranges::sort(key.variables);
    const auto end = std::unique(key.variables.begin(), key.variables.end());
    key.variables.erase(end, key.variables.end());
    keys_.push_back(std::move(key));
    return place->second;
}

int Keys::variable(NodePtr identifier) {
    Key key;
    key.kind = KeyKind::Variable;
    key.variable = graph_.variableOf(identifier);
    key.text = identifier->text();
    key.sample = identifier;
    key.variables = {key.variable};
    const int name = graph_.names().find(identifier);
    if (name >= 0) {
        const FlowGraph::Home home = graph_.homeOf(name + firstVariable);
        if (home.place >= 0)
            key.rank = graph_.place(home.place).loops +
                       (home.inHead && graph_.place(home.place).isLoop ? 1 : 0);
    }
    if (name >= 0 && key.variable < firstVariable) {
        key.declared = name;
        key.variables.push_back(name + firstVariable);
    }
    if (key.variable >= firstVariable) {
        const Variable& variable = graph_.names()[key.variable - firstVariable];
        // Reading what was perhaps never set is no harm where the program does it itself.
        key.isMovable = variable.initializer || variable.isParameter || variable.isConstant();
    }
    return intern(std::move(key));
}

int Keys::literal(long value) {
    Key key;
    key.kind = KeyKind::Literal;
    key.text = literals_.try_emplace(value, std::to_string(value)).first->second;
    return intern(std::move(key));
}

int Keys::opaque(NodePtr node) {
    Key key;
    key.sample = node;
    key.isMovable = false;
    key.rank = 1 << 20;  // comes last
    keys_.push_back(std::move(key));
    return size() - 1;
}

int Keys::inquiry(int base, std::string_view name, int argument, NodePtr sample) {
    Key key;
    key.kind = KeyKind::Inquiry;
    key.left = base;
    key.right = argument;
    key.text = name;
    key.sample = sample;
    key.mayThrow = !neverThrows(name) && !isSurelyValid(base);
    const Key& asked = (*this)[base];
    const bool isConstant = asked.kind == KeyKind::Variable && asked.variable >= firstVariable &&
                            graph_.isConstant(asked.variable);
    if (key.mayThrow) key.asked.push_back(isConstant ? asked.variable : -1);
    key.hasStride = name == "stride";
    return intern(std::move(key));
}

/// A range or array that was made by a constructor, a creation, or a question to another one.
bool Keys::isSurelyValid(int key) const {
    const Key& base = (*this)[key];
    if (base.kind == KeyKind::Inquiry)
        return base.text == "rng" || base.text == "dim" || base.text == "grp";
    if (base.kind != KeyKind::Variable || base.variable < firstVariable) return false;
    const Variable& variable = graph_.names()[base.variable - firstVariable];
    if (!variable.isConstant() || !variable.initializer) return false;
    if (!ast::is<ast::EqualInitializer>(variable.initializer)) return true;
    NodePtr value = variable.initializer->child(ast::EqualInitializer::value);
    if (ast::is<ast::FunctionalCast>(value)) return true;
    if (!ast::is<ast::Call>(value)) return false;
    const NodePtr callee = value->child(ast::Call::callee);
    if (!ast::is<ast::Member>(callee)) return callee->text().starts_with("hpspmd::create");
    const std::string_view name = callee->child(ast::Member::name)->text();
    return isInquiry(value) &&
           (name == "rng" || name == "subrange" || name == "dim" || name == "grp");
}

int Keys::member(int base, std::string_view name, NodePtr sample) {
    Key key;
    key.kind = KeyKind::Member;
    key.left = base;
    key.text = name;
    key.sample = sample;
    return intern(std::move(key));
}

int Keys::binary(KeyKind kind, int left, int right) {
    Key key;
    key.kind = kind;
    key.left = left;
    key.right = right;
    return intern(std::move(key));
}

int Keys::negation(int operand) {
    Key key;
    key.kind = KeyKind::Negation;
    key.left = operand;
    return intern(std::move(key));
}

int Keys::member(NodePtr node, KeyKind kind, NodePtr base, NodePtr name) {
    if (!ast::is<ast::Identifier>(name)) return -1;
    const int left = atom(base);
    if (left < 0) return -1;
    Key key;
    key.kind = kind;
    key.left = left;
    key.text = name->text();
    key.sample = node;
    // What a pointer leads to is not the function's own.
    if (kind == KeyKind::Arrow)
        key.variables = {isHandleType(node->type) ? outsideHandles : outsideValues};
    return intern(std::move(key));
}

int Keys::atom(NodePtr node) {
    node = ast::withoutParentheses(node);
    switch (node->kind()) {
    case ast::Kind::Identifier:  // lowering writes numbers as names
    case ast::Kind::NumberLiteral: {
        long value = 0;
        if (asPlainInteger(node, value)) return literal(value);
        return node->is<ast::Identifier>() ? variable(node) : -1;
    }
    case ast::Kind::KeywordLiteral: {
        if (node->text() != "this") return -1;
        Key key;
        key.kind = KeyKind::This;
        key.text = "this";
        return intern(std::move(key));
    }
    case ast::Kind::Member:
        return member(node, KeyKind::Member, node->child(0), node->child(1));
    case ast::Kind::PointerMember:
        return member(node, KeyKind::Arrow, node->child(0), node->child(1));
    case ast::Kind::Call: {
        if (!isInquiry(node)) return -1;
        const NodePtr callee = node->child(ast::Call::callee);
        const std::string_view name = callee->child(ast::Member::name)->text();
        const auto arguments = node->child(ast::Call::arguments)->children();
        long value = 0;
        const bool literalOnly =
            arguments.empty() || (arguments.size() == 1 && asPlainInteger(arguments[0], value));
        if (!literalOnly || name.starts_with("localBlock") || name == "blocks" ||
            name == "location" || name == "subrange" || name == "crd")
            return -1;
        const int base = atom(callee->child(ast::Member::base));
        if (base < 0) return -1;
        return inquiry(base, name, arguments.empty() ? -1 : literal(value), node);
    }
    default:
        return -1;
    }
}

bool asPlainInteger(NodePtr node, long& value) {
    node = ast::withoutParentheses(node);
    if (!ast::is<ast::NumberLiteral>(node) && !ast::is<ast::Identifier>(node)) return false;
    const std::string_view text = node->text();
    if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= 0;
}

}  // namespace hpcc::optimize
