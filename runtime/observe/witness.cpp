// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The witness of a run (HPSPMD_WITNESS=FILE): each process writes FILE.<rank>, a line per array
/// that a nest or a collective has written, and per result of a reduction. hpcc test compares them.
///
///     S <site> <line> <name> <file>
///     A <site> <execution> <array> <copy> <sum> <sum> <kind> <bytes> <rank> <extents..>
///     N <site> <execution> <array> <copy> <sum> <magnitude> <odd> <kind> <bytes> <rank>
///     <extents..> R <site> <execution> <kind> <bytes> <value in hexadecimal digits>
///
/// N: of floating-point elements, with HPSPMD_WITNESS_NEAR. A site is a nest ("nest") or a call of
/// a collective; its executions are counted from 1, the arrays that it writes from 0.
/// HPSPMD_WITNESS_AT="<line> <execution> <array> <name> <file>" makes FILE.<rank>.elements of one
/// of them: for each element its place in row-major order, and its value.

#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/ghosts.hpp>

#include "observe/observers.hpp"
#include "observe/witness_sum.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace hpspmd::detail {
namespace {

/// Closed at the end of the process.
class OutputFile {
public:
    explicit OutputFile(const std::string& path) : file_(std::fopen(path.c_str(), "w")) {
        if (file_ == nullptr) throw IoError("cannot write the witness '" + path + "'", {});
    }
    ~OutputFile() { std::fclose(file_); }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(const void* data, std::size_t bytes) { std::fwrite(data, 1, bytes, file_); }
    void write(const std::string& text) { write(text.data(), text.size()); }

private:
    std::FILE* file_;
};

/// What HPSPMD_WITNESS_AT asks for.
struct Wanted {
    int line = 0, array = 0;
    Index execution = 0;
    std::string name, file;

    static Wanted read(const char* text) {
        Wanted wanted;
        if (text == nullptr) return wanted;
        std::istringstream words(text);
        words >> wanted.line >> wanted.execution >> wanted.array >> wanted.name >> std::ws;
        std::getline(words, wanted.file);
        return wanted;
    }
};

struct Site {
    int number = 0;
    Index executions = 0;
    bool isWanted = false;
};

class Witness final : public Observer {
public:
    Witness(const std::string& path, int process)
        : path_(path + "." + std::to_string(process)),
          file_(path_),
          wanted_(Wanted::read(std::getenv("HPSPMD_WITNESS_AT"))) {
        wishes.arrays = true;
    }

    void nestBegins(Where where, const WrittenArray* arrays, int count) override {
        if (!isOwnThread()) return;
        where_ = where;
        written_.assign(arrays, arrays + count);
        maps_.clear();  // the nest's handles may be gone when it ends
        for (WrittenArray& array : written_) {
            maps_.emplace_back(array.layout.begin(), array.layout.end());
            array.layout.maps = maps_.back().data();
        }
    }
    void nestEnds() override {
        if (!isOwnThread()) return;
        Site& site = begin("nest", where_);
        int number = 0;
        for (const WrittenArray& array : written_)
            if (!array.layout.group.isNull()) tell(site, number++, array);
        written_.clear();
    }
    void hasWritten(const char* name, Where where, const WrittenArray& array) override {
        if (nesting.depth > 0 || !isOwnThread()) return;
        tell(begin(name, where), 0, array);
    }
    void hasResult(const char* name, Where where, const void* value, ElementForm form) override {
        if (nesting.depth > 0 || form.kind == ElementForm::Unknown || !isOwnThread()) return;
        const Site& site = begin(name, where);
        std::ostringstream line;
        line << "R " << site.number << ' ' << site.executions << ' ' << static_cast<char>(form.kind)
             << ' ' << form.bytes << ' ';
        static const char* const digits = "0123456789abcdef";
        const auto* const bytes = static_cast<const unsigned char*>(value);
        for (unsigned k = 0; k < form.bytes; ++k)
            line << digits[bytes[k] >> 4] << digits[bytes[k] & 15];
        file_.write(line.str() + '\n');
    }

private:
    /// What further threads of a program write has no order that could be compared.
    bool isOwnThread() const { return std::this_thread::get_id() == thread_; }

    /// One more execution of the site.
    Site& begin(const char* name, Where where) {
        Site& site = sites_[{where.line, name, where.file}];
        if (site.number == 0) {
            site.number = static_cast<int>(sites_.size());
            site.isWanted =
                wanted_.line == where.line && wanted_.name == name && wanted_.file == where.file;
            std::ostringstream line;
            line << "S " << site.number << ' ' << where.line << ' ' << name << ' ' << where.file;
            file_.write(line.str() + '\n');
        }
        ++site.executions;
        return site;
    }

    void tell(const Site& site, int number, const WrittenArray& array) {
        if (array.form.kind == ElementForm::Unknown || !array.layout.group.amMember()) return;
        const bool isNear = isNear_ && (array.form.kind == ElementForm::Floating ||
                                        array.form.kind == ElementForm::Complex);
        std::ostringstream line;
        line << (isNear ? "N " : "A ") << site.number << ' ' << site.executions << ' ' << number
             << ' ' << copyHeld(array.layout) << ' ' << (isNear ? nearText(array) : sumText(array))
             << ' ' << static_cast<char>(array.form.kind) << ' ' << array.form.bytes << ' '
             << array.layout.rank;
        for (const Map& map : array.layout) line << ' ' << extentOf(map.range);
        file_.write(line.str() + '\n');
        if (site.isWanted && site.executions == wanted_.execution && number == wanted_.array)
            writeElements(array);
    }

    static std::string sumText(const WrittenArray& array) {
        const WitnessSum sum = witnessSum(array);
        return std::to_string(sum.first) + ' ' + std::to_string(sum.second);
    }
    static std::string nearText(const WrittenArray& array) {
        const NearSum sum = nearSum(array);
        std::ostringstream text;
        text.precision(17);
        text << static_cast<double>(sum.sum) << ' ' << static_cast<double>(sum.magnitude) << ' '
             << sum.odd;
        return text.str();
    }

    void writeElements(const WrittenArray& array) const {
        if (copyHeld(array.layout) != 0) return;
        OutputFile elements(path_ + ".elements");
        forEachHeldRun(array, [&](const HeldRun& run) {
            for (Index k = 0; k < run.count; ++k) {
                const Index place = run.place + k * run.placeStep;
                elements.write(&place, sizeof place);
                elements.write(run.start + k * run.step, array.form.bytes);
            }
        });
    }

    const std::string path_;
    OutputFile file_;
    const Wanted wanted_;
    const bool isNear_ = !variable("HPSPMD_WITNESS_NEAR").empty();
    const std::thread::id thread_ = std::this_thread::get_id();
    std::map<std::tuple<int, std::string, std::string>, Site> sites_;
    // Of the nest under way.
    Where where_;
    std::vector<WrittenArray> written_;
    std::vector<std::vector<Map>> maps_;
};

}  // namespace

std::unique_ptr<Observer> newWitness(int process) {
    const std::string path = variable("HPSPMD_WITNESS");
    return path.empty() ? nullptr : std::make_unique<Witness>(path, process);
}

}  // namespace hpspmd::detail
