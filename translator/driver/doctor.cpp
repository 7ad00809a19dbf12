// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>

#include <dlfcn.h>
#include <fmt/core.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "driver/config.hpp"
#include "driver/process.hpp"
#include "driver/shared_memory.hpp"
#include "driver/standard_streams.hpp"
#include "driver/toolchain.hpp"
#include "driver/verbs.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

/// What was found out about one thing.
struct Finding {
    std::string name;
    enum State { Good, Missing, Bad } state;  ///< Missing: some things do not work
    std::string text, mend;                   ///< mend: a command, or advice
};

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

Finding compiler(const Toolchain& toolchain) {
    const std::string version = compilerVersion(toolchain);
    if (version.empty())
        return {"C++ compiler", Finding::Bad, toolchain.mpicxx + " does not run",
                "apt-get install g++"};
    return {"C++ compiler", Finding::Good, firstLine(version), ""};
}

/// Two processes of the pinned pair must see each other.
Finding mpiPair(const Toolchain& toolchain) {
    if (!builtWithMpi())
        return {"MPI", Finding::Good, "none: processes of this machine are joined by shared memory",
                ""};
    const std::string pair = fmt::format("{} with {}", toolchain.mpicxx, toolchain.mpiexec);
    const std::string packages = std::string_view(config::mpiFamily) == "mpich"
                                     ? "apt-get install mpich libmpich-dev"
                                     : "apt-get install openmpi-bin libopenmpi-dev";
    char pattern[] = "/tmp/hpcc-doctor-XXXXXX";
    if (::mkdtemp(pattern) == nullptr)
        return {"MPI", Finding::Bad, "no folder can be made in /tmp", "df /tmp"};
    const fs::path folder = pattern;
    std::ofstream(folder / "probe.cpp")
        << "#include <mpi.h>\n#include <cstdio>\nint main(int c, char** v) { MPI_Init(&c, &v); int "
           "n = 0, r = 0;\n"
           "MPI_Comm_size(MPI_COMM_WORLD, &n); MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
           "if (r == 0) std::printf(\"size %d\\n\", n); MPI_Finalize(); }\n";
    const std::string probe = (folder / "probe").string();
    std::string errors;
    int code = 1;
    std::string said;
    try {
        code = run({toolchain.mpicxx, (folder / "probe.cpp").string(), "-o", probe}, errors);
        Command command{toolchain.mpiexec};
        if (std::string_view(config::mpiFamily) == "openmpi") {
            command.push_back("--oversubscribe");
            if (::geteuid() == 0) command.push_back("--allow-run-as-root");
        }
        command.insert(command.end(), {"-n", "2", probe});
        if (code == 0) said = outputOf(command);
    } catch (const Failure& failure) {
        errors = failure.what();
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    if (code != 0) return {"MPI", Finding::Bad, pair + ": " + firstLine(errors), packages};
    if (said.find("size 2") == std::string::npos)
        return {"MPI", Finding::Bad, pair + ": two processes do not see each other",
                "the launcher must be that of the library: HPCC_MPICXX, HPCC_MPIEXEC"};
    return {"MPI", Finding::Good, pair + ", 2 processes see each other", ""};
}

/// The launcher that the shell finds may be that of another MPI.
Finding launcher(const Toolchain& toolchain) {
    if (!builtWithMpi()) return {"launcher", Finding::Good, "hpcc run itself", ""};
    if (!isOnPath("mpiexec"))
        return {"launcher", Finding::Good, "hpcc run uses " + toolchain.mpiexec, ""};
    const bool isOpenMpi =
        outputOf({"mpiexec", "--version"}).find("Open MPI") != std::string::npos ||
        outputOf({"mpiexec", "--version"}).find("OpenRTE") != std::string::npos;
    const bool isSame = isOpenMpi == (std::string_view(config::mpiFamily) == "openmpi");
    if (isSame) return {"launcher", Finding::Good, "mpiexec belongs to the same MPI", ""};
    return {"launcher", Finding::Missing, "mpiexec belongs to another MPI than hpcc's",
            "start programs by hpcc run, or by " + toolchain.mpiexec};
}

Finding libraries() {
    const fs::path program = fs::read_symlink("/proc/self/exe");
    const fs::path prefix = program.parent_path().parent_path();
    for (const char* folder :
         {"lib", "lib64", "lib/hpcpp", "lib64/hpcpp", "lib/x86_64-linux-gnu/hpcpp"})
        for (const char* name : {"libhpspmd_adlib.a", "libhpspmd_adlib.so"})
            if (fs::exists(prefix / folder / name))
                return {"libraries", Finding::Good, (prefix / folder / name).string(), ""};
    return {"libraries", Finding::Bad, "no libhpspmd_adlib beside " + program.string(),
            "./hpc build"};
}

Finding optionalLibrary(const char* name, const char* file, const char* package, const char* what) {
    void* const handle = ::dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr)
        return {name, Finding::Missing, fmt::format("{} is not there: {} do not work", file, what),
                fmt::format("apt-get install {}", package)};
    ::dlclose(handle);
    return {name, Finding::Good, fmt::format("{}, for {}", file, what), ""};
}

Finding program(const char* name, const char* package, const char* what) {
    if (isOnPath(name)) return {name, Finding::Good, what, ""};
    return {name, Finding::Missing, fmt::format("is not there: no {}", what),
            fmt::format("apt-get install {}", package)};
}

Finding cores() {
    return {"cores", Finding::Good,
            fmt::format("{}, one process each unless -n says otherwise",
                        std::max(1U, std::thread::hardware_concurrency())),
            ""};
}

Finding sharedMemory() {
    const std::string note =
        sharedMemoryNote(static_cast<int>(std::thread::hardware_concurrency()));
    if (note.empty()) return {"/dev/shm", Finding::Good, "large enough", ""};
    return {"/dev/shm", Finding::Missing, firstLine(note), "docker run --shm-size=1g"};
}

Finding slurm() {
    const char* job = std::getenv("SLURM_JOB_ID");
    if (job == nullptr) return {"Slurm", Finding::Good, "not inside of a job", ""};
    return {"Slurm", Finding::Good, fmt::format("inside of job {}", job), ""};
}

}  // namespace

ExitCode doctor(const std::vector<std::string>& words) {
    const bool isJson = words.size() == 1 && words[0] == "--json";
    if (words.size() == 1 && words[0] == "--help") {
        print(
            "usage: hpcc doctor [--json]: looks at compiler, MPI and libraries. Exit code 4 if "
            "hpcc cannot work.\n");
        return ExitCode::Ok;
    }
    if (!words.empty() && !isJson) throw Failure(ExitCode::Usage, "usage: hpcc doctor [--json]");
    const Toolchain toolchain = findToolchain();
    const std::vector<Finding> findings = {
        compiler(toolchain),
        mpiPair(toolchain),
        launcher(toolchain),
        libraries(),
        optionalLibrary("HDF5", "libhdf5_serial.so.103", "libhdf5-103-1", "files .h5"),
        optionalLibrary("PNG", "libpng16.so.16", "libpng16-16", "pictures .png"),
        optionalLibrary("GIF", "libgif.so.7", "libgif7", "pictures .gif"),
        program("addr2line", "binutils", "lines of crashes"),
        program("gdb", "gdb", "debugger"),
        program("tmux", "tmux", "debugger, a pane for each process"),
        program("gdbserver", "gdbserver", "debugger, processes by ports"),
        cores(),
        sharedMemory(),
        slurm()};
    static const char* const states[] = {"ok", "missing", "bad"};
    nlohmann::json list = nlohmann::json::array();
    std::string text;
    bool isBad = false;
    for (const Finding& each : findings) {
        isBad = isBad || each.state == Finding::Bad;
        list.push_back({{"name", each.name},
                        {"state", states[each.state]},
                        {"text", each.text},
                        {"mend", each.mend}});
        text += fmt::format("{:<8} {:<13} {}{}\n", states[each.state], each.name, each.text,
                            each.mend.empty() ? "" : "; " + each.mend);
    }
    print(isJson ? list.dump(2) + "\n" : text);
    return isBad ? ExitCode::ToolchainMissing : ExitCode::Ok;
}

}  // namespace hpcc::driver
