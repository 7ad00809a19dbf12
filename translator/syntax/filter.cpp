// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/filter.hpp"

#include <algorithm>

namespace hpcc::syntax {

Filter::Filter(TokenStream& stream, diagnostics::Engine& errors, SchemaStart start)
    : stream_(stream), errors_(errors), scan_(stream, names_), schema_(start) {
    if (start == SchemaStart::Statements || start == SchemaStart::Expression)
        scopes_.back().kind = ScopeKind::Block;
}

Delivery Filter::next() {
    if (givenUp_) return plain(T::END, static_cast<int>(stream_.tokens.size()) - 1);
    applyPendingScope();
    if (recovering_) {
        recovering_ = false;
        scopes_.back().parentheses = 0;
        atStart_ = true;
        const int statement = scopes_.back().endsDo ? T::OPAQUE_DO_END : T::OPAQUE_STATEMENT;
        return collapsed(inBlock() ? statement : T::OPAQUE_DECLARATION, recoveryBegin_,
                         recoveryEnd_);
    }
    if (schema_ != SchemaStart::None)
        if (auto start = schemaStart()) return *start;
    while (scan_.token(position_).dead) ++position_;
    const int i = position_;
    if (raw(i) == T::END) return plain(T::END, i);
    if (atStart_ && raw(i) != T::RBRACE) {
        atStart_ = false;
        if (auto start = inBlock() ? startStatement(i) : startDeclaration(i)) return *start;
    }
    const bool endsBlock = atStart_ && inBlock() && raw(i) == T::RBRACE;
    atStart_ = false;
    const int label = endsBlock ? previousOf(i) : -1;
    if (endsBlock && raw(label) == T::COLON && label != lastLabel_) {
        lastLabel_ = label;
        return plain(T::NOTHING, label);
    }
    if (scan_.token(position_).dead) return next();
    uint8_t& marks = token(position_).marks;
    if (marks & startsDeclaration) {
        marks &= static_cast<uint8_t>(~startsDeclaration);
        return plain(T::DECLARATION, position_);
    }
    if (marks & startsType) {
        marks &= static_cast<uint8_t>(~startsType);
        return plain(T::TYPE, position_);
    }
    Delivery delivery = classify(position_);
    position_ = delivery.last + 1;
    if (scan_.token(delivery.first).marks & endsHead) atStart_ = true;
    return delivery;
}

std::optional<Delivery> Filter::schemaStart() {
    const SchemaStart start = schema_;
    schema_ = SchemaStart::None;
    const int first = scan_.next(-1);
    switch (start) {
    case SchemaStart::Expression:
        atStart_ = false;
        return plain(T::SCHEMA_EXPRESSION, first);
    case SchemaStart::Statements:
        return plain(T::SCHEMA_STATEMENTS, first);
    case SchemaStart::Type:
        atStart_ = false;
        markType(first);
        return plain(T::SCHEMA_TYPE, first);
    case SchemaStart::Declaration:
    case SchemaStart::None:
        break;
    }
    return std::nullopt;
}

Delivery Filter::collapsed(int kind, int first, int end) {
    position_ = end;
    if (kind == T::OPAQUE_DECLARATION || kind == T::OPAQUE_STATEMENT) opaqueBegin_ = first;
    return {kind, first, std::max(first, end - 1)};
}

// A run that the grammar does not look into: legal unless HPspmd syntax is lost in it.
Delivery Filter::opaque(int kind, int first, int end) {
    if (end <= first) end = first + 1;
    if (scan_.holdsExtension(first, end)) {
        sawExtension_ = true;
        errors_.report(diagnostics::Id::ExtensionNotUnderstood, stream_.spanOf(first),
                       scan_.text(first));
    }
    return collapsed(kind, first, end);
}

void Filter::kill(int begin, int end) {
    for (int i = begin; i < end; ++i) token(i).dead = true;
}

void Filter::applyPendingScope() {
    const PendingScope pending = pending_;
    pending_ = PendingScope::None;
    switch (pending) {
    case PendingScope::None:
        return;
    case PendingScope::Open:
        openScope();
        return;
    case PendingScope::Close:
        if (scopes_.size() <= 1) return;
        scopes_.pop_back();
        closeNamesTo(scopes_.back().nameScopes);
        return;
    case PendingScope::OpenParameters:
        names_.openScope();
        return;
    case PendingScope::CloseParameters:
        for (Parameter& parameter : parameterNames_[pendingBrace_])
            if (names_.isParallel(parameter.name)) parameter.kind = NameKind::Parallel;
        names_.closeScope();
        return;
    }
}

// Behind a '{'; the parameters of a function are names of its body.
void Filter::openScope() {
    names_.openScope();
    scopes_.push_back(pendingScope_);
    scopes_.back().statement = pendingBrace_ + 1;
    scopes_.back().nameScopes = names_.openScopes();
    const auto parameters = parametersOf_.find(pendingBrace_);
    if (parameters == parametersOf_.end()) return;
    for (const Parameter& parameter : parameterNames_[parameters->second])
        names_.declare(parameter.name, parameter.kind);
}

void Filter::closeNamesTo(std::size_t scopes) {
    while (names_.openScopes() > scopes) names_.closeScope();
}

void Filter::declare(std::string_view name, NameKind kind) {
    names_.declare(stream_.names.id(name), kind);
}

Filter::Damage Filter::startRecovery(int at) {
    pending_ = PendingScope::None;
    recovering_ = true;
    closeNamesTo(scopes_.back().nameScopes);
    int begin = scopes_.back().statement;
    auto extentEnd = [&](int i) {
        return inBlock() ? scan_.statementEnd(i) : scan_.declarationEnd(i);
    };
    int end = extentEnd(begin);
    if (end <= at) end = std::max(end, extentEnd(at));
    if (begin < recoveryEnd_) {  // already made opaque: the damage lies outside of statements
        begin = at;
        end = extentEnd(at);
        givenUp_ = end <= at;
    }
    if (end <= begin) end = begin + 1;
    if (begin == opaqueBegin_ && begin == at) {  // the parser goes on with this one
        recovering_ = false;
        end = position_;
    }
    recoveryBegin_ = begin;
    recoveryEnd_ = end;
    const bool word = scan_.name(begin) >= 0 && scan_.name(begin) <= wordOn;  // overall, at, on
    const bool ours = scan_.involvesExtension(begin, end) || (word && sawExtension_);
    if (scan_.holdsExtension(begin, end)) sawExtension_ = true;
    return {begin, end, ours};
}

}  // namespace hpcc::syntax
