// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/command_line.hpp"

#include <algorithm>
#include <exception>
#include <iostream>

namespace hpspmd::detail::cost {

void CommandLine::read(const std::vector<std::string>& words) const {
    const auto take = [&](const std::string& name, const std::string& value) {
        if (!option(name, value)) throw WrongUse("hpcc " + verb + " has no option '" + name + "'");
    };
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::string& each = words[k];
        const std::size_t equals = each.find('=');
        if (each.size() < 2 || each[0] != '-') {
            word(each);
        } else if (std::find(flags.begin(), flags.end(), each) != flags.end()) {
            take(each, "");
        } else if (each.rfind("--", 0) == 0 && equals != std::string::npos) {
            take(each.substr(0, equals), each.substr(equals + 1));
        } else {
            if (k + 1 == words.size()) throw WrongUse(each + " needs a value");
            take(each, words[++k]);
        }
    }
}

int performVerb(int argc, char** argv, const char* usage,
                const std::function<int(const std::vector<std::string>&)>& perform) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 1 && words[0] == "--help") {
        std::cout << usage;
        return 0;
    }
    try {
        return perform(words);
    } catch (const WrongUse& error) {
        std::cerr << "hpcc: error: " << error.what() << '\n' << usage;
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "hpcc: error: " << error.what() << '\n';
        return 1;
    }
}

}  // namespace hpspmd::detail::cost
