// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-look, which `hpcc look` starts: what files of arrays hold, and whether it is whole.
#include <algorithm>
#include <iostream>

#include "cost/command_line.hpp"
#include "files/container.hpp"
#include "files/remainder.hpp"
#include "files/values.hpp"

namespace {

using namespace hpspmd;
using namespace hpspmd::detail::files;
using detail::FileNumber;

constexpr const char* usage =
    R"(usage: hpcc look FILE ..

Prints the arrays and values in files that Adlib has written, checkpoints among them, with their
shapes, types and attributes; of .h5 and .npz also whether the checksums are right. Of a checkpoint
flow.h5 the one before, flow.h5.1, is shown as well. Ends with 1 if a file cannot be read or
something in it is damaged.
)";

constexpr Index mostShown = 6;

/// An array of a file with several, and what reads it.
struct Opened {
    const Container& container;
    DiskFile& file;
    const Entry& entry;

    std::unique_ptr<Elements> elements() const {
        return container.elements(file, entry, allOf(entry.array));
    }
};

/// The value or values of a small entry, "" of a large one.
std::string valuesOf(const Opened& opened) {
    const FileArray& array = opened.entry.array;
    const FileNumber number = *array.number;
    if (array.count() > mostShown || number.bytes > 1000 || number.kind == FileNumber::Opaque)
        return "";
    std::string bytes(static_cast<std::size_t>(array.count() * number.bytes), '\0');
    if (array.count() > 0) opened.elements()->read(bytes.data(), 0, array.count());
    if (number.kind == FileNumber::Text) return " = \"" + bytes + "\"";
    if (array.isSwapped) swapBytes(bytes.data(), array.count(), number);
    std::string text = " =";
    for (Index k = 0; k < array.count(); ++k) {
        text += ' ';
        appendText(text, bytes.data() + k * number.bytes, number);
    }
    return text;
}

bool isDamaged(const Opened& opened) {
    const Entry& entry = opened.entry;
    const Index bytes = entry.array.number->bytes, all = entry.array.count() * bytes,
                most = std::max<Index>(1, (4 << 20) / bytes);
    std::vector<char> room(static_cast<std::size_t>(std::min(most * bytes, all)));
    std::uint32_t remainder = moved(entry.headRemainder, all);
    const std::unique_ptr<Elements> elements = opened.elements();
    for (Index at = 0; at < entry.array.count(); at += most) {
        const Index count = std::min(most, entry.array.count() - at);
        elements->read(room.data(), at, count);
        remainder ^= moved(remainderOf(room.data(), count * bytes), all - (at + count) * bytes);
    }
    return crcOf(remainder, entry.headBytes + all) != *entry.crc;
}

/// `    @unit = "K"`
void show(const Adlib::Attributes& attributes, const std::string& before) {
    for (const auto& [name, value] : attributes) {
        const std::string text = value.text();
        std::cout << before << '@' << name << " = " << (value.isText() ? '"' + text + '"' : text)
                  << '\n';
    }
}

/// A line of an entry, and one for each attribute; false if it is damaged.
bool show(const Opened& opened) {
    const Entry& entry = opened.entry;
    std::string text = "  " + entry.name + ": ", state;
    bool isWhole = true;
    try {
        if (!entry.problem.empty()) throw Failure(entry.problem);
        text += describe(entry.array) + valuesOf(opened);
        isWhole = !entry.crc || !isDamaged(opened);
        state = !entry.crc ? "" : isWhole ? ", whole" : ", damaged: the checksum is wrong";
    } catch (const Failure& failure) {
        state = failure.what();
        isWhole = false;
    }
    std::cout << text << state << '\n';
    show(entry.attributes, "    ");
    return isWhole;
}

/// `as`: the name whose end tells the format.
bool look(const std::string& path, const std::string& as) {
    try {
        const std::optional<Inside> inside = insideOf(as);
        DiskFile file = DiskFile::forReading(path);
        if (!inside) {
            std::cout << path << ": " << describe(formatOf(as).look(file, nullptr)) << '\n';
            return true;
        }
        const Contents contents = inside->container->look(file);
        std::cout << path << '\n';
        show(contents.attributes, "  ");
        bool isWhole = true;
        for (const Entry& entry : contents.entries)
            isWhole &= show({*inside->container, file, entry});
        return isWhole;
    } catch (const Failure& failure) {
        std::cout.flush();
        std::cerr << "hpcc: error: cannot read '" << path << "': " << failure.what() << '\n';
        return false;
    }
}

/// A file, and if it is a checkpoint the one before.
bool lookAtAll(const std::string& path) {
    const std::string before = ".1";
    const bool isBefore = path.ends_with(before);
    bool isWhole = look(path, isBefore ? path.substr(0, path.size() - before.size()) : path);
    if (!isBefore && exists(path + before)) isWhole &= look(path + before, path);
    return isWhole;
}

int perform(const std::vector<std::string>& words) {
    std::vector<std::string> files;
    detail::cost::CommandLine line{"look",
                                   {},
                                   [](const std::string&, const std::string&) { return false; },
                                   [&](const std::string& word) { files.push_back(word); }};
    line.read(words);
    if (files.empty()) throw detail::cost::WrongUse("hpcc look needs a file");
    bool isWhole = true;
    for (const std::string& file : files) isWhole &= lookAtAll(file);
    return isWhole ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return detail::cost::performVerb(argc, argv, usage, perform); }
