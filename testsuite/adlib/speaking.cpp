// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs that print, and end in one way or another; output_test runs them where their output
/// cannot be written. Arguments: stream, way, and perhaps "much".

#include <hpspmd>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

using namespace hpspmd;

namespace {

void print(const std::string& stream, const std::string& text) {
    if (stream == "printf" || stream == "held")
        std::printf("%s\n", text.c_str());
    else if (stream == "gprintln")
        Adlib::gprintln(text);
    else
        std::cout << text << '\n';
}

int end(const std::string& way) {
    if (way == "exit") std::exit(0);
    if (way == "exit3") std::exit(3);
    if (way == "abort") std::abort();
    if (way == "error") CollapsedRange(3).location(3);
    return 0;
}

char buffer[1 << 16];

struct Last {  // the last object to go
    ~Last() {
        if (!text.empty()) std::printf("%s\n", text.c_str());
    }
    std::string text;
} last;

}  // namespace

int main(int argc, char** argv) {
    const std::string stream = argv[1], way = argv[2];
    if (stream == "unsynchronized") std::ios::sync_with_stdio(false);
    const std::string text(argc > 3 ? 100'000 : 5, 'x');
    if (stream == "late") {
        last.text = text;
        apg();
        return 0;
    }
    if (stream != "unstarted") apg();
    if (stream == "held") std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    if (way == "catches") {
        try {
            print(stream, text);
        } catch (const IoError&) {
        }
        return 0;
    }
    if (way == "closes") std::fclose(stdout);
    if (stream != "nothing" && way != "closes") print(stream, text);
    return end(way);
}
