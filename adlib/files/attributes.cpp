// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/attributes.hpp"

#include <algorithm>
#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>

#include "files/disk_file.hpp"
#include "files/outcome.hpp"
#include "files/packed.hpp"
#include "files/values.hpp"

namespace hpspmd::Adlib {

using namespace detail;

namespace {

Index countOf(const FileValue& value) {
    Index count = 1;
    for (const Index extent : value.shape) count *= extent;
    return count;
}

}  // namespace

std::string Attribute::text() const {
    const FileNumber number = value_.number;
    if (isText()) return value_.bytes.substr(0, value_.bytes.find_last_not_of('\0') + 1);
    std::string text;
    for (Index k = 0; k < countOf(value_); ++k) {
        if (k > 0) text += ' ';
        files::appendText(text, value_.bytes.data() + k * number.bytes, number);
    }
    return text;
}

std::vector<double> Attribute::numbers(Where where) const {
    const FileNumber number = value_.number;
    if (isText()) throw IoError("the attribute is the text '" + text() + "', no number", where);
    if (number.kind == FileNumber::Complex)
        throw IoError("the attribute is complex: " + text(), where);
    std::vector<double> numbers;
    for (Index k = 0; k < countOf(value_); ++k)
        numbers.push_back(files::toDouble(value_.bytes.data() + k * number.bytes, number));
    return numbers;
}

double Attribute::number(Where where) const {
    const std::vector<double> all = numbers(where);
    if (all.size() != 1)
        throw IoError("the attribute has " + std::to_string(all.size()) + " numbers, not one",
                      where);
    return all[0];
}

void Attributes::set(const std::string& name, Attribute value) {
    const auto found = std::ranges::find(all_, name, &Named::name);
    if (found == all_.end())
        all_.push_back({name, std::move(value)});
    else
        found->value = std::move(value);
}

bool Attributes::has(const std::string& name) const {
    return std::ranges::find(all_, name, &Named::name) != all_.end();
}

const Attribute& Attributes::at(const std::string& name, Where where) const {
    const auto found = std::ranges::find(all_, name, &Named::name);
    if (found != all_.end()) return found->value;
    throw IoError("there is no attribute '" + name + "'" +
                      (empty() ? "" : "; there are " + files::namesOf(*this)),
                  where);
}

}  // namespace hpspmd::Adlib

namespace hpspmd::detail::files {

void requireGood(const Adlib::Attributes& attributes) {
    constexpr std::size_t longest = 1000;
    std::vector<std::string> names;
    for (const auto& [name, value] : attributes) {
        if (name.empty() || name.size() > longest || name.find('\0') != name.npos)
            throw Failure("the name of an attribute has 1 to 1000 bytes, none of them 0");
        if (std::ranges::find(names, name) != names.end())
            throw Failure("it has two attributes '" + name + "'");
        names.push_back(name);
        if (value.isText() && value.text().find('\0') != std::string::npos)
            throw Failure("the text of attribute '" + name + "' has a byte 0 in it");
    }
}

std::string namesOf(const Adlib::Attributes& attributes) {
    std::string text;
    for (const auto& each : attributes) text += (text.empty() ? "'" : ", '") + each.name + "'";
    return text;
}

Adlib::Attributes told(const Entered& entered, const Adlib::Attributes& attributes) {
    return unpackedAttributes(told(entered, packed(attributes)));
}

}  // namespace hpspmd::detail::files
