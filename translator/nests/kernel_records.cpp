// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_records.hpp"

#include <algorithm>
#include <utility>

#include "analysis/constant.hpp"
#include "analysis/plain_values.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/scope.hpp"
#include "ast/specifiers.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/device.hpp"
#include "nests/kernel_complex.hpp"
#include "nests/kernel_words.hpp"
#include "source/text.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Reads the members of a class.
class Reading {
public:
    explicit Reading(int depth) : depth_(depth) {}

    std::variant<Record, std::string> read(const ast::Type& type) {
        const NodePtr definition = type.classSymbol ? type.classSymbol->declaration : nullptr;
        if (!ast::is<ast::Class>(definition) || !type.classSymbol->members)
            return "whose class is not defined in this file";
        members_ = type.classSymbol->members;
        head(type, definition);
        for (const NodePtr member : definition->child(ast::Class::members)->children())
            if (reason_.empty()) visit(member);
        if (record_.fields.empty()) fail("whose class has no members that a kernel knows");
        if (!analysis::isPlainValue(&type) || members_->findHere("(constructor)"))
            fail("whose class has functions that make or copy it");
        if (!reason_.empty()) return reason_;
        return record_;
    }

private:
    void fail(std::string reason) {
        if (reason_.empty()) reason_ = std::move(reason);
    }
    void failFor(const std::string& member, const std::string& reason) {
        fail("whose member " + quoted(member) + " " + reason);
    }

    void head(const ast::Type& type, NodePtr definition) {
        const std::string_view text = definition->text();
        if (type.classSymbol->isTemplate || type.isDependent)
            fail("whose class is one of a template");
        if (text.starts_with("union")) fail("whose class is a union");
        if (ast::holdsDirective(text)) fail("whose class holds a directive of the preprocessor");
        if (definition->child(ast::Class::bases)) fail("whose class has a base class");
        isPublic_ = text.starts_with("struct");
    }

    void visit(NodePtr member) {
        if (ast::is<ast::AccessSpecifier>(member)) {
            isPublic_ = member->text().starts_with("public");
        } else if (ast::is<ast::FunctionDefinition>(member)) {
            requireStatic(member->child(ast::FunctionDefinition::specifiers));
        } else if (ast::is<ast::Declaration>(member)) {
            declaration(member);
        }
    }

    void requireStatic(NodePtr specifiers) {
        const NodePtr before = ast::is<ast::Specifiers>(specifiers)
                                   ? specifiers->child(ast::Specifiers::before)
                                   : nullptr;
        if (ast::holdsWord(before, "virtual")) fail("whose class has virtual functions");
    }

    void declaration(NodePtr node) {
        const NodePtr specifiers = node->child(ast::Declaration::specifiers);
        const NodePtr declarators = node->child(ast::Declaration::declarators);
        requireStatic(specifiers);
        if (!ast::is<ast::Specifiers>(specifiers) || !declarators) return;
        const NodePtr before = specifiers->child(ast::Specifiers::before);
        if (ast::holdsWord(before, "static") || ast::holdsWord(before, "typedef")) return;
        for (const NodePtr each : declarators->children())
            if (!ast::functionDeclarator(each->child(ast::InitDeclarator::declarator)))
                field(each, before);
    }

    void field(NodePtr declared, NodePtr before) {
        NodePtr declarator = declared->child(ast::InitDeclarator::declarator);
        const NodePtr name = ast::declaredName(declarator);
        if (!name) return fail("whose class has a member without a name");
        Record::Field field{declared, std::string(name->text()), nullptr, {}};
        if (ast::is<ast::BitField>(declarator)) return failFor(field.name, "is a bit-field");
        if (before) return failFor(field.name, "is " + quoted(before->text()));
        if (!isPublic_) return failFor(field.name, "is not public");
        const ast::Symbol* symbol = members_->findHere(field.name);
        field.type = symbol ? symbol->type : nullptr;
        for (; field.type && ast::is<ast::ArrayDeclarator>(declarator);
             declarator = declarator->child(ast::ArrayDeclarator::declarator)) {
            const NodePtr size = declarator->child(ast::ArrayDeclarator::size);
            const auto value = size ? analysis::constantValue(size) : std::nullopt;
            if (!value || *value < 1 || field.type->kind != ast::TypeKind::CArray)
                return failFor(field.name, "is an array of a size that is not known");
            field.sizes.insert(field.sizes.begin(), static_cast<long>(*value));
            field.type = field.type->element;
        }
        requireKnown(field, ast::is<ast::Identifier>(declarator));
        if (declared->child(ast::InitDeclarator::initializer)) record_.hasValues = true;
        record_.fields.push_back(std::move(field));
    }

    void requireKnown(const Record::Field& field, bool isName) {
        if (isName && !numberWord(field.type).empty()) return;
        const bool isObject = isName && field.type && field.type->kind == ast::TypeKind::Class &&
                              !field.type->isReference && field.type->classSymbol &&
                              field.type->classSymbol->shape == ast::StandardShape::None &&
                              depth_ > 0;
        if (!isObject) return failFor(field.name, "is no number that a kernel knows");
        const auto inner = Reading(depth_ - 1).read(*field.type);
        if (const std::string* reason = std::get_if<std::string>(&inner))
            failFor(field.name, "is of a class " + *reason);
    }

    const int depth_;  // of classes in classes; one that contains itself, by mistake, ends there
    const ast::Scope* members_ = nullptr;
    Record record_;
    std::string reason_;
    bool isPublic_ = true;
};

constexpr int mostNested = 10;

bool isMember(const Record& record, std::string_view name) {
    return std::ranges::find(record.fields, name, &Record::Field::name) != record.fields.end();
}

/// In the kernel.
std::string nameOf(const Record& record, std::string name) {
    if (!isReservedInKernels(name)) return name;
    do name += '_';
    while (isReservedInKernels(name) || isMember(record, name));
    return name;
}

}  // namespace

std::variant<Record, std::string> recordOf(const ast::Type* type) {
    const bool isClass = type && type->kind == ast::TypeKind::Class && type->classSymbol &&
                         type->classSymbol->shape == ast::StandardShape::None;
    if (!isClass) return "which are no numbers that a kernel knows";
    ast::Type object = *type;
    object.isReference = false;
    return Reading(mostNested).read(object);
}

std::string KernelRecords::wordOf(const ast::Type* type) {
    const std::string number = localWord(numberOf(type));
    return number.empty() ? classOf(type) : number;
}

std::string KernelRecords::numberOf(const ast::Type* type) {
    const ast::Symbol* const named = typeParameterOf(type);
    if (!named) return numberWord(type);
    const auto allowed = std::ranges::find_if(parameters_, [&](const TypeParameter& each) {
        return each.symbol == named || each.ofClass == named;
    });
    if (allowed == parameters_.end()) return "";
    const ast::Symbol* const parameter = allowed->symbol;
    const auto known = std::ranges::find(types_, parameter, &KernelType::parameter);
    if (known != types_.end()) return known->word;
    types_.push_back({parameter, context_.fresh(kernel_ + "_" + parameter->name)});
    return types_.back().word;
}

std::string KernelRecords::spelled(const ast::Type* type) {
    const std::string word = numberOf(type);
    const auto known = std::ranges::find(types_, word, &KernelType::word);
    if (known != types_.end()) return known->parameter->name;
    return word == "Index" ? "hpspmd::Index" : word;
}

bool KernelRecords::isTypeParameter(std::string_view word) const {
    return std::ranges::find(types_, word, &KernelType::word) != types_.end();
}

std::string KernelRecords::complexWord(const ast::Type* part) { return part ? numberOf(part) : ""; }

std::string KernelRecords::complexOf(const std::string& word) {
    std::string& name = complexNames_[word];
    if (!name.empty()) return name;
    const auto type = std::ranges::find(types_, word, &KernelType::word);
    const bool isOfType = type != types_.end();
    const std::string of = isOfType ? type->parameter->name : word == "double" ? "" : word;
    name = context_.fresh(kernel_ + (of.empty() ? "_complex" : "_complex_" + of));
    (isOfType ? textOfTypes_ : text_) += "COMPLEX(" + name + ", " + word + ") ";
    if (isOfType) need(analysis::Premise::FloatingNumbers);
    return name;
}

std::string KernelRecords::classOf(const ast::Type* type) {
    if (!type || type->kind != ast::TypeKind::Class || !type->classSymbol) return "";
    if (const std::string word = complexWord(complexPart(type)); !word.empty())
        return complexOf(word);
    if (const auto known = names_.find(type->classSymbol); known != names_.end())
        return known->second;
    const auto record = recordOf(type);
    if (std::holds_alternative<std::string>(record)) return "";
    const std::string& own = type->classSymbol->name;  // "(class)" if it has none
    const std::string name = context_.fresh(kernel_ + (own[0] == '(' ? "_class" : "_" + own));
    text_ += written(std::get<Record>(record), name);
    return names_[type->classSymbol] = name;
}

std::string KernelRecords::memberOf(const ast::Type* type, std::string_view name) {
    if (classOf(type).empty() || complexPart(type)) return "";
    const Record record = std::get<Record>(recordOf(type));
    return isMember(record, name) ? nameOf(record, std::string(name)) : "";
}

std::string KernelRecords::written(const Record& record, const std::string& name) {
    std::string members, same;
    for (const Record::Field& field : record.fields) {
        const std::string word = wordOf(field.type), own = nameOf(record, field.name);
        members += word + " " + own;
        for (const long size : field.sizes) members += "[" + std::to_string(size) + "]";
        members += "; ";
        same += (same.empty() ? "SAME(" : " SAME(") + field.name + ", " + own + ")";
        if ((word == "bool" || word == "char") && !notOpenCl_.place)
            notOpenCl_ = {field.declared,
                          "reaches the member " + quoted(field.name) + " of type " + quoted(word)};
    }
    return "RECORD(" + name + ", " + members + ", " + same + ") ";
}

}  // namespace hpcc::nests
