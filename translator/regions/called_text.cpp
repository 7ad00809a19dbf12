// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/called_text.hpp"

#include "analysis/constant.hpp"
#include "analysis/numbers.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "regions/called_arguments.hpp"
#include "regions/called_returns.hpp"
#include "regions/called_sections.hpp"

#include <algorithm>
#include <utility>

namespace hpcc::regions {

void CalledText::gap(source::Span piece) {
    if (out_->isOwn(piece))
        out_->copy(piece);
    else
        out_->add(flat(piece.str()));
}

// In the line of what it stands for.
void CalledText::put(const std::string& text, NodePtr place) {
    if (out_->isOwn(place->span()))
        out_->replace(place->span(), text);
    else
        out_->add(text);
}

void CalledText::write(NodePtr node) {
    if (!node) return;
    if (node->is<ast::Identifier>()) return writeName(node);
    if (node->is<ast::Return>() && !end_.empty()) return writeLeaving(node);
    if (writePart(node) || writeConversion(node) || writeShift(node) || writeOfSection(node))
        return;
    if (ast::is<ast::QualifiedName>(node) && !node->child(0)) return gap(node->span());
    if (code_.object && isThisObject(node))
        return put((code_.isPointer ? "*" : "") + flat(code_.object->text()), node);
    if (code_.object && isOfThis(node)) return writeName(node->child(1));
    if (ast::isAny<ast::Member, ast::PointerMember, ast::QualifiedName>(node)) {
        write(node->child(0));
        const NodePtr arguments =
            ast::is<ast::TemplateName>(node->child(1)) ? node->child(1)->child(1) : nullptr;
        const source::Span whole = node->span();
        gap({whole.text, node->child(0)->span().end,
             arguments ? arguments->span().begin : whole.end});
        return write(arguments);
    }
    if (node->children().empty()) return gap(node->span());
    ast::forEachPiece(node, *this);
}

void CalledText::writeName(NodePtr node) {
    const Symbol* const symbol = node->symbol;
    if (const auto found = words_.find(symbol); symbol && found != words_.end())
        return put(found->second, node);
    if (const auto found = shifted_.find(symbol); symbol && found != shifted_.end())
        return put(found->second.index + " + " + found->second.distance, node);
    if (const auto found = values_.find(symbol); symbol && found != values_.end()) {
        const bool isSame =
            isSameNumber(symbol->type, found->second->type) || !ast::isNumber(symbol->type);
        out_->add(isSame ? "(" : "static_cast<" + symbol->type->spelled + ">(");
        write(found->second);
        return out_->add(")");
    }
    if (isOfNamespace(symbol))
        return put(flat(code_.qualifier->text()) + "::" + symbol->name, node);
    const bool isMember = symbol && (symbol->kind == ast::SymbolKind::Field ||
                                     (symbol->kind == ast::SymbolKind::Function && !symbol->home));
    if (code_.object && isMember)
        return put(
            flat(code_.object->text()) + (code_.isPointer ? "->" : ".") + std::string(node->text()),
            node);
    gap(node->span());
}

bool CalledText::writePart(NodePtr node) {
    const auto found =
        ast::is<ast::Member>(node) ? parts_.find(node->child(0)->symbol) : parts_.end();
    if (found == parts_.end() || !found->first) return false;
    put(std::ranges::find(found->second, node->child(1)->text(), &Part::member)->name, node);
    return true;
}

// `T(e)` of a T that is `long double`
bool CalledText::writeConversion(NodePtr node) {
    if (!ast::is<ast::Call>(node) || !analysis::convertsToParameter(node)) return false;
    const auto found = words_.find(node->child(ast::Call::callee)->symbol);
    if (found == words_.end() || found->second.find(' ') == std::string::npos) return false;
    const auto values = node->child(ast::Call::arguments)->children();
    out_->add("static_cast<" + found->second + ">(");
    if (values.empty())
        out_->add("0");
    else
        write(values.front());
    out_->add(")");
    return true;
}

// `p - 1` and p` of a parameter that is i + 1
bool CalledText::writeShift(NodePtr node) {
    const bool isBinary = node->is<ast::Binary>();
    if (!isBinary && !node->is<ast::GlobalIndex>()) return false;
    const NodePtr name = ast::withoutParentheses(node->child(0));
    const auto found = name->is<ast::Identifier>() ? shifted_.find(name->symbol) : shifted_.end();
    if (found == shifted_.end()) return false;
    const auto& [index, distance] = found->second;
    if (!isBinary) {
        put("(" + index + "` + " + distance + ")", name);
        return true;
    }
    const std::string op(node->child(ast::Binary::op)->text());
    if (op != "+" && op != "-") return false;
    put(index + " + (" + distance + " " + op + " ", name);
    write(node->child(ast::Binary::right));
    out_->add(")");
    return true;
}

// `line[k]` and `line.size(0)` of a parameter that is a[[i, :]]: a[i, k], a.size(1)
bool CalledText::writeOfSection(NodePtr node) {
    const SectionUse use = sectionUseOf(node);
    const auto found = use.name ? sections_.find(use.name->symbol) : sections_.end();
    if (found == sections_.end()) return false;
    const NodePtr section = found->second;
    const std::string array = flat(section->child(ast::Section::base)->text());
    if (use.dimension) {
        const auto own = static_cast<std::size_t>(*analysis::constantValue(use.dimension));
        put(array + ".size(" + std::to_string(dimensionInArray(section, own)) + ")", use.name);
        return true;
    }
    put(array + "[", use.name);
    uint32_t next = 0;
    bool isFirst = true;
    for (const NodePtr slot : section->child(ast::Section::slots)->children()) {
        if (!std::exchange(isFirst, false)) out_->add(", ");
        if (ast::is<ast::Triplet>(slot))
            write(use.subscripts->child(next++));
        else
            out_->add(flat(slot->text()));
    }
    out_->add("]");
    return true;
}

void CalledText::writeParameter(const Given& given) {
    const NodePtr declarator = given.declaration->child(ast::Parameter::declarator);
    const bool isByValue = !given.isReference || (given.isConst && code_.onlyComputes &&
                                                  ast::isNumber(given.value->type));
    const bool isName = ast::is<ast::Identifier>(declarator) || (given.isReference && isByValue);
    out_->add("[[maybe_unused]] ");
    const bool isNumber = ast::isNumber(given.value->type);
    if (!given.isChanged && !given.isConst && isName && (isNumber || !code_.runsNests))
        out_->add("const ");
    if (isDeduced(given.declaration))
        out_->add(given.isConst ? "const auto" : "auto");
    else
        write(given.declaration->child(ast::Parameter::specifiers));
    out_->add(" ");
    if (isName)
        out_->add(words_.at(given.symbol));
    else
        write(declarator);
    out_->add(" = ");
    gap(given.value->span());
    out_->add("; ");
}

void CalledText::writeStatements(Rewritten& out) {
    out_ = &out;
    for (const Given& each : declared_) writeParameter(each);
    for (const auto& [symbol, parts] : parts_)
        for (const Part& part : parts) {
            out_->add("[[maybe_unused]] const " + part.type + " " + part.name + " = ");
            gap(part.value->span());
            out_->add("; ");
        }
    if (isInPlace_) return;
    for (const NodePtr each : code_.first) {
        write(each);
        out_->add(" ");
    }
    if (choice_ || code_.last.empty()) return;
    if (!code_.isVoid) {
        writeResultType();
        out_->add(" " + result_ + "; ");
    }
    if (!leavesLoop(code_.last)) return writeBranches(code_.last);
    end_ = names_.next("end", counts_);
    write(code_.last.front());
    const std::string end = std::exchange(end_, "");
    out_->add(" ");
    writeBranches(std::span(code_.last).subspan(1));
    out_->add(end + ":; ");
}

// From inside of a loop.
void CalledText::writeLeaving(NodePtr statement) {
    const NodePtr value = statement->child(ast::Return::value);
    out_->add("{ ");
    if (!code_.isVoid && value) {
        out_->add(result_ + " = ");
        writeConverted(value);
        out_->add("; ");
    }
    out_->add("goto " + end_ + "; }");
}

void CalledText::writeValue(Rewritten& out) {
    out_ = &out;
    if (code_.isVoid) return;
    if (!choice_) return out_->add(result_);
    writeChoice(code_.last);
}

void CalledText::writeResultType() {
    if (code_.result)
        write(code_.result);
    else
        out_->add(resultType_);
}

bool CalledText::needsConversion(NodePtr e) const {
    if (!code_.result || code_.returnsReference || ast::isStandardArray(e->type)) return false;
    if (e->type && e->type->kind == ast::TypeKind::Range && !isLvalue(e)) return false;
    return !isSameNumber(code_.number, e->type) || (place_.needsValue && isLvalue(e));
}

void CalledText::writeConverted(NodePtr e) {
    if (ast::is<ast::BracedInitializer>(e)) return write(e);  // `result = {a, b};`
    const bool converts = needsConversion(e);
    if (converts) {
        out_->add("static_cast<");
        writeResultType();
        out_->add(">");
    }
    const bool isPlain = !converts && ast::is<ast::Subscript>(e);
    if (!isPlain) out_->add("(");
    write(e);
    if (!isPlain) out_->add(")");
}

void CalledText::writeChoice(std::span<const NodePtr> statements) {
    const NodePtr first = statements.front();
    if (ast::is<ast::Return>(first)) return writeConverted(first->child(ast::Return::value));
    if (ast::is<ast::Compound>(first)) return writeChoice(first->children());
    if (ast::is<ast::Switch>(first)) return writeCases(first, statements.subspan(1));
    const NodePtr then = first->child(ast::If::then), otherwise = first->child(ast::If::otherwise);
    out_->add("(");
    write(first->child(ast::If::condition));
    out_->add(" ? ");
    writeChoice(std::span(&then, 1));
    out_->add(" : ");
    writeChoice(otherwise ? std::span(&otherwise, 1) : statements.subspan(1));
    out_->add(")");
}

// `(n == 2 ? e : n == 3 || n == 4 ? f : g)`
void CalledText::writeCases(NodePtr statement, std::span<const NodePtr> rest) {
    const NodePtr asked = ast::withoutParentheses(statement->child(ast::Switch::condition));
    const auto cases = returnedCases(statement);
    out_->add("(");
    for (const ReturnedCase& each : cases) {
        for (const NodePtr value : each.values) {
            out_->add("(");
            write(asked);
            out_->add(") == (");
            write(value);
            out_->add(value == each.values.back() ? ") ? " : ") || ");
        }
        writeConverted(each.result);
        if (!each.values.empty()) out_->add(" : ");
    }
    if (!cases.back().values.empty()) writeChoice(rest);
    out_->add(")");
}

void CalledText::writeBranch(std::span<const NodePtr> statements) {
    out_->add("{ ");
    writeBranches(statements);
    out_->add("} ");
}

void CalledText::writeBranches(std::span<const NodePtr> statements) {
    for (std::size_t k = 0; k < statements.size(); ++k) {
        const NodePtr each = statements[k];
        if (ast::is<ast::Return>(each)) {
            const NodePtr value = each->child(ast::Return::value);
            if (code_.isVoid || !value) return;
            out_->add(result_ + " = ");
            writeConverted(value);
            return out_->add("; ");
        }
        if (!holdsReturn(each)) {
            write(each);
            out_->add(" ");
            continue;
        }
        if (ast::is<ast::Compound>(each)) return writeBranches(each->children());
        const NodePtr then = each->child(ast::If::then),
                      otherwise = each->child(ast::If::otherwise);
        std::vector<NodePtr> yes, no;
        yes.push_back(then);
        if (otherwise) no.push_back(otherwise);
        const auto rest = statements.subspan(k + 1);
        std::vector<NodePtr>& open = returnsAlways(then) ? no : yes;
        open.insert(open.end(), rest.begin(), rest.end());
        gap({each->span().text, each->span().begin,
             each->child(ast::If::initializer) ? each->child(ast::If::initializer)->span().begin
                                               : each->child(ast::If::condition)->span().begin});
        if (each->child(ast::If::initializer)) {
            write(each->child(ast::If::initializer));
            out_->add(" ");
        }
        write(each->child(ast::If::condition));
        out_->add(") ");
        writeBranch(yes);
        if (!no.empty()) {
            out_->add("else ");
            writeBranch(no);
        }
        return;
    }
}

}  // namespace hpcc::regions
