// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files that are missing, damaged, of another shape or type, or cannot be written.

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bad_inputs.hpp"

namespace hpspmd::test {
namespace {

// In the working folder, which bad_inputs.py makes for each job.
void onFirst(const std::function<void()>& act) {
    if (apg().rank() == 0) act();
    Adlib::sum(1);
}

void shorten(const std::string& file, double part) {
    onFirst([&] {
        std::filesystem::resize_file(
            file, static_cast<std::uintmax_t>(
                      static_cast<double>(std::filesystem::file_size(file)) * part));
    });
}

void fill(const std::string& file, const std::string& bytes) {
    onFirst([&] { std::ofstream(file, std::ios::binary) << bytes; });
}

Plate numbers() {
    const Plate a = plate();
    if (On active{a.grp()})
        for (const auto i : overall(a.rng(0)))
            for (const auto j : overall(a.rng(1)))
                a(i, j) = static_cast<double>(100 * i.global + j.global);
    return a;
}

struct Format {
    std::string ending;
    bool isLookedAt;  ///< a line that is no line of numbers heads a table
};

const std::vector<Format>& formats() {
    static const std::vector<Format> all = {{"npy", true}, {"raw", false}, {"csv", false},
                                            {"h5", true},  {"asc", true},  {"mtx", true},
                                            {"png", true}, {"pgm", true},  {"gif", true}};
    return all;
}

void addReading(BadInputs& cases) {
    for (const Format& format : formats()) {
        const std::string file = "a." + format.ending, in = "_" + format.ending;
        const auto add = [&](const std::string& name, std::function<void()> run) {
            cases.push_back({name + in, "IoError", std::move(run)});
        };
        add("read_missing", [=] { Adlib::read(plate(), file); });
        add("read_folder", [=] {
            onFirst([&] { std::filesystem::create_directory(file); });
            Adlib::read(plate(), file);
        });
        add("read_empty", [=] {
            fill(file, "");
            Adlib::read(plate(), file);
        });
        add("read_garbage", [=] {
            fill(file, std::string(100, '\xa5'));
            Adlib::read(plate(), file);
        });
        for (const double part : {0.1, 0.5, 0.9})
            add("read_shortened_to_" + std::to_string(static_cast<int>(100 * part)), [=] {
                Adlib::write(file, numbers());
                shorten(file, part);
                Adlib::read(plate(), file);
            });
        add("read_other_shape", [=] {
            Adlib::write(file, numbers());
            Adlib::read(plate(8, 7), file);
        });
        if (format.isLookedAt) {
            add("look_missing", [=] { Adlib::look(file); });
            add("look_garbage", [=] {
                fill(file, std::string(100, '\xa5'));
                Adlib::look(file);
            });
        }
        cases.push_back({"read_null" + in, "NullArray", [=] { Adlib::read(Plate(), file); }});
    }
}

void addWriting(BadInputs& cases) {
    std::vector<std::string> endings = {"vti", "ppm", "npz"};
    for (const Format& format : formats()) endings.push_back(format.ending);
    for (const std::string& ending : endings) {
        const std::string in = "_" + ending;
        cases.push_back({"write_to_no_folder" + in, "IoError",
                         [=] { Adlib::write("nowhere/a." + ending, numbers()); }});
        cases.push_back({"write_to_a_folder" + in, "IoError", [=] {
                             onFirst([&] { std::filesystem::create_directory("a." + ending); });
                             Adlib::write("a." + ending, numbers());
                         }});
        cases.push_back(
            {"write_null" + in, "NullArray", [=] { Adlib::write("a." + ending, Plate()); }});
    }
    for (const std::string name : {"a", "a.", "a.xyz", "", ".npy/", "a.npy.bak"})
        cases.push_back({"write_to_" + std::to_string(cases.size()), "IoError",
                         [=] { Adlib::write(name, numbers()); }});
    cases.push_back({"colours_unknown", "IoError",
                     [] { Adlib::write("a.png", numbers(), Adlib::colours("pink")); }});
    cases.push_back({"file_with_a_name_twice", "IoError", [] {
                         Adlib::File file("a.npz");
                         file.write("u", numbers());
                         file.write("u", numbers());
                     }});
    cases.push_back({"file_without_such_a_name", "IoError", [] {
                         {
                             Adlib::File file("a.npz");
                             file.write("u", numbers());
                         }
                         Adlib::read(plate(), "a.npz:v");
                     }});
}

void addCheckpoints(BadInputs& cases) {
    const auto write = [] {
        Plate u = numbers();
        Index step = 3;
        Adlib::Checkpoint state("a.npz");
        state("u", u)("step", step);
        state.now();
    };
    const auto restore = [](const Plate& into, const std::string& name) {
        Plate u = into;
        Adlib::Checkpoint state("a.npz");
        state(name, u);
        state.restore();
    };
    for (const double part : {0.0, 0.1, 0.5, 0.9})
        cases.push_back({"checkpoint_shortened_to_" + std::to_string(static_cast<int>(100 * part)),
                         "CheckpointError", [=] {
                             write();
                             shorten("a.npz", part);
                             restore(plate(), "u");
                         }});
    cases.push_back({"checkpoint_garbage", "CheckpointError", [=] {
                         fill("a.npz", std::string(1000, 'x'));
                         restore(plate(), "u");
                     }});
    cases.push_back({"checkpoint_of_another_shape", "CheckpointError", [=] {
                         write();
                         restore(plate(8, 7), "u");
                     }});
    cases.push_back({"checkpoint_without_the_name", "CheckpointError", [=] {
                         write();
                         restore(plate(), "v");
                     }});
}

}  // namespace

void addFiles(BadInputs& cases) {
    addReading(cases);
    addWriting(cases);
    addCheckpoints(cases);
}

}  // namespace hpspmd::test
