// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// interchange IN OUT [ROW ROWS COLUMN COLUMNS]: reads the table of doubles IN, or this part of it,
/// and writes it as OUT, by columns, with the attributes of IN. Without arguments: such words in
/// the lines of the file `list`. interchange records IN OUT: of objects in one dimension.
/// interchange.py compares with what NumPy and h5py read and write.

#include <cstdlib>
#include <fstream>
#include <hpspmd>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace hpspmd;

struct Record {
    std::int8_t kind;
    double x;
    float v[2][3];
    bool isFree;
};
HPSPMD_FIELDS(Record, kind, x, v, isFree)

namespace {

void passRecords(const std::string& in, const std::string& out) {
    const auto info = Adlib::look(in);
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<Record>(p, CyclicRange(info.shape[0], p.dim(0)));
    Adlib::read(a, in);
    Adlib::write(out, a);
}

bool pass(const std::vector<std::string>& words) {
    if (words.size() != 2 && words.size() != 6) return false;
    const auto number = [&words](std::size_t k) {
        return static_cast<Index>(std::atoll(words[k].c_str()));
    };
    const auto info = Adlib::look(words[0]);
    const bool isPart = words.size() == 6;
    const Index rows = isPart ? number(3) : info.shape[0],
                columns = isPart ? number(5) : info.shape[1];
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, rows, CyclicRange(columns, p.dim(0)));
    if (isPart)
        Adlib::read(a, words[0], {{number(2), rows}, {number(4), columns}});
    else
        Adlib::read(a, words[0]);
    Adlib::write(words[1], a, info.attributes);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 4 && std::string(argv[1]) == "records") return passRecords(argv[2], argv[3]), 0;
    if (argc > 1) return pass({argv + 1, argv + argc}) ? 0 : 2;
    std::ifstream list("list");
    for (std::string line; std::getline(list, line);) {
        std::istringstream words(line);
        if (!pass({std::istream_iterator<std::string>(words), {}})) return 2;
    }
}
