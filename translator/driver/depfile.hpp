#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace hpcc::driver {

/// The make rules of `depfile` with every file name replaced by rename(name): what the C++ compiler
/// read (generated text, translated headers) becomes what the user wrote.
///
///     prog.o: /tmp/hpcc-x/prog.cpp      ->      prog.o: prog.hpcpp
std::string renameDependencies(std::string_view depfile,
                               const std::function<std::string(const std::string&)>& rename);

}  // namespace hpcc::driver
