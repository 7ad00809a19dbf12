// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/packed.hpp"

#include <cstring>
#include <type_traits>

namespace hpspmd::detail::files {
namespace {

/// Appends each value to a text.
class Packing {
public:
    template <class T, std::enable_if_t<std::is_trivially_copyable_v<T>, int> = 0>
    void pass(const T& value) {
        text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void pass(const std::string& text) {
        pass(text.size());
        text_ += text;
    }
    template <class T>
    void pass(const std::vector<T>& values) {
        pass(values.size());
        for (const T& each : values) pass(each);
    }
    void pass(const FileField& field) { passField(*this, field); }
    void pass(const FileArray& array) { passArray(*this, array); }
    void pass(const Entry& entry) { passEntry(*this, entry); }
    void pass(const Adlib::Attributes& attributes) {
        pass(attributes.size());
        for (const auto& [name, attribute] : attributes) {
            pass(name);
            pass(attribute.value().number);
            pass(attribute.value().shape);
            pass(attribute.value().bytes);
        }
    }

    template <class Pass, class Field>
    static void passField(Pass& to, Field& field) {
        to.pass(field.name);
        to.pass(field.number);
        to.pass(field.offset);
        to.pass(field.shape);
    }
    template <class Pass, class Array>
    static void passArray(Pass& to, Array& array) {
        to.pass(array.shape);
        to.pass(array.number);
        to.pass(array.fields);
        to.pass(array.offset);
        to.pass(array.isSwapped);
        to.pass(array.isByLibrary);
    }
    template <class Pass, class Each>
    static void passEntry(Pass& to, Each& entry) {
        to.pass(entry.name);
        to.pass(entry.array);
        to.pass(entry.attributes);
        to.pass(entry.start);
        to.pass(entry.headRemainder);
        to.pass(entry.headBytes);
        to.pass(entry.crc);
        to.pass(entry.problem);
    }

    const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// Takes them from there, in the same order.
class Unpacking {
public:
    explicit Unpacking(const std::string& text) : text_(text) {}

    template <class T, std::enable_if_t<std::is_trivially_copyable_v<T>, int> = 0>
    void pass(T& value) {
        std::memcpy(static_cast<void*>(&value), taken(sizeof value), sizeof value);
    }
    void pass(std::string& text) {
        const std::size_t bytes = count();
        text.assign(taken(bytes), bytes);
    }
    template <class T>
    void pass(std::vector<T>& values) {
        values.clear();
        for (std::size_t left = count(); left > 0; --left) {
            T value{};
            pass(value);
            values.push_back(std::move(value));
        }
    }
    void pass(FileField& field) { Packing::passField(*this, field); }
    void pass(FileArray& array) { Packing::passArray(*this, array); }
    void pass(Entry& entry) { Packing::passEntry(*this, entry); }
    void pass(Adlib::Attributes& attributes) {
        for (std::size_t left = count(); left > 0; --left) {
            std::string name;
            FileValue value{};
            pass(name);
            pass(value.number);
            pass(value.shape);
            pass(value.bytes);
            attributes.set(name, Adlib::Attribute(std::move(value)));
        }
    }

private:
    const char* taken(std::size_t bytes) {
        if (bytes > text_.size() - at_) throw Failure("it is damaged");
        at_ += bytes;
        return text_.data() + at_ - bytes;
    }
    std::size_t count() {
        std::size_t count = 0;
        pass(count);
        return count;
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

template <class T>
std::string asBytes(const T& value) {
    Packing packing;
    packing.pass(value);
    return packing.text();
}
template <class T>
T fromBytes(const std::string& bytes) {
    T value{};
    Unpacking(bytes).pass(value);
    return value;
}

}  // namespace

std::string packed(const FileArray& array) { return asBytes(array); }
std::string packed(const Adlib::Attributes& attributes) { return asBytes(attributes); }
std::string packed(const Contents& contents) {
    Packing packing;
    packing.pass(contents.entries);
    packing.pass(contents.attributes);
    return packing.text();
}

FileArray unpackedArray(const std::string& bytes) { return fromBytes<FileArray>(bytes); }
Adlib::Attributes unpackedAttributes(const std::string& bytes) {
    return fromBytes<Adlib::Attributes>(bytes);
}
Contents unpackedContents(const std::string& bytes) {
    Contents contents;
    Unpacking from(bytes);
    from.pass(contents.entries);
    from.pass(contents.attributes);
    return contents;
}

}  // namespace hpspmd::detail::files
