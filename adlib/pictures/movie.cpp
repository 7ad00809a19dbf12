// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-movie, which `hpcc movie` starts: joins pictures into a .gif.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <unordered_map>

#include "files/disk_file.hpp"
#include "pictures/picture.hpp"

namespace {

using namespace hpspmd;
using namespace hpspmd::detail::files;

constexpr const char* help =
    R"(usage: hpcc movie NAME [-o FILE.gif] [--rate R]      the pictures NAME.000000.png, NAME.000001.png ..
       hpcc movie PICTURE.png .. [-o FILE.gif] [--rate R]

Joins the pictures of Adlib::Frames("NAME") into a .gif that is shown again and again.

  -o FILE     the .gif (NAME.gif, or movie.gif)
  --rate R    pictures in a second, 0.1 to 50 (10)
)";

class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Options {
    std::vector<std::string> words;
    std::string output;
    double rate = 10;
};

double rateOf(const std::string& text) {
    char* end = nullptr;
    const double rate = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(rate >= 0.1 && rate <= 50))
        throw UsageError("--rate takes a number from 0.1 to 50, not '" + text + "'");
    return rate;
}

Options parse(const std::vector<std::string>& words) {
    Options options;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::string& word = words[k];
        const auto value = [&](const std::string& name) {
            if (word != name) return word.substr(name.size() + 1);
            if (k + 1 == words.size()) throw UsageError(name + " needs a value");
            return words[++k];
        };
        if (word == "-o")
            options.output = value("-o");
        else if (word == "--rate" || word.rfind("--rate=", 0) == 0)
            options.rate = rateOf(value("--rate"));
        else if (word.size() > 1 && word[0] == '-')
            throw UsageError("'" + word + "' is no option of hpcc movie");
        else
            options.words.push_back(word);
    }
    if (options.words.empty()) throw UsageError("hpcc movie needs the name of the pictures");
    return options;
}

bool isPicture(const std::string& word) {
    return std::filesystem::path(word).extension() == ".png";
}

/// NAME.<number>.png, in the order of the numbers.
std::vector<std::string> numbered(const std::string& name) {
    const std::filesystem::path path(name);
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const std::string prefix = path.filename().string() + ".", suffix = ".png";
    std::vector<std::pair<long long, std::string>> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string file = entry.path().filename().string();
        if (file.size() < prefix.size() + 6 + suffix.size() || file.rfind(prefix, 0) != 0) continue;
        const std::string digits =
            file.substr(prefix.size(), file.size() - prefix.size() - suffix.size());
        if (prefix + digits + suffix != file || digits.size() > 18 ||
            digits.find_first_not_of("0123456789") != std::string::npos)
            continue;
        found.emplace_back(std::stoll(digits), (folder / file).string());
    }
    if (found.empty()) throw Failure("there are no pictures '" + name + ".000000.png' ..");
    std::sort(found.begin(), found.end());
    std::vector<std::string> files;
    for (auto& each : found) files.push_back(std::move(each.second));
    return files;
}

/// The same picture by at most 256 colours.
Picture indexed(Picture picture) {
    if (picture.channels == 1) return picture;
    Picture result{picture.height, picture.width, 1, {}, {}};
    std::unordered_map<std::uint32_t, std::uint8_t> numbers;
    for (std::size_t k = 0; k + 2 < picture.bytes.size(); k += 3) {
        const Colour colour = {picture.bytes[k], picture.bytes[k + 1], picture.bytes[k + 2]};
        const std::uint32_t key = colour[0] << 16U | colour[1] << 8U | colour[2];
        auto at = numbers.find(key);
        if (at == numbers.end()) {
            if (numbers.size() == 256)
                throw Failure("it has more than 256 colours, which a .gif cannot hold");
            at = numbers.emplace(key, static_cast<std::uint8_t>(numbers.size())).first;
            result.palette.push_back(colour);
        }
        result.bytes.push_back(at->second);
    }
    return result;
}

/// What fails with a file is told with its name.
template <class Action>
auto on(const std::string& verb, const std::string& file, const Action& action) {
    try {
        return action();
    } catch (const Failure& failure) {
        throw Failure("cannot " + verb + " '" + file + "': " + failure.what());
    }
}

std::string movieOf(const std::vector<std::string>& files, int hundredths) {
    Index height = 0, width = 0;
    auto file = files.begin();
    const auto next = [&](Picture& picture) {
        if (file == files.end()) return false;
        on("use", *file, [&] {
            picture = indexed(decodePng(contentOf(*file)));
            if (file != files.begin() && (picture.height != height || picture.width != width))
                throw Failure("it has " + std::to_string(picture.width) + " x " +
                              std::to_string(picture.height) + " pixels, the first picture " +
                              std::to_string(width) + " x " + std::to_string(height));
        });
        height = picture.height;
        width = picture.width;
        ++file;
        return true;
    };
    return encodeMovie(next, hundredths);
}

void perform(const Options& options) {
    const std::string& first = options.words[0];
    std::vector<std::string> files = options.words;
    std::string output = "movie.gif";
    if (!isPicture(first)) {
        if (files.size() > 1)
            throw UsageError("'" + first + "' is no .png: give one name, or pictures");
        files = numbered(first);
        output = first + ".gif";
    }
    if (!options.output.empty()) output = options.output;
    const std::string movie = movieOf(files, static_cast<int>(std::lround(100 / options.rate)));
    on("write", output, [&] { replaceFile(output, movie); });
    std::cout << output << ": " << files.size()
              << (files.size() == 1 ? " picture, " : " pictures, ") << movie.size() << " bytes\n"
              << std::flush;
    if (!std::cout) throw Failure("cannot write to the standard output");
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    try {
        if (std::find(words.begin(), words.end(), "--help") != words.end())
            std::cout << help;
        else
            perform(parse(words));
        return 0;
    } catch (const UsageError& error) {
        std::cerr << "hpcc: error: " << error.what() << "; see hpcc movie --help\n";
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "hpcc: error: " << error.what() << '\n';
        return 1;
    }
}
