#include "launcher.hpp"

#include "compose.hpp"

#include <cstdlib>

namespace hpspmd::detail {

std::string otherLauncher() {
    struct Launcher {
        const char* variable;
        const char* name;
    };
    static constexpr Launcher launchers[] = {{"OMPI_COMM_WORLD_SIZE", "Open MPI's mpiexec"},
                                             {"PMI_SIZE", "MPICH's mpiexec"}};
    for (const Launcher& launcher : launchers) {
        const char* value = std::getenv(launcher.variable);
        const long processes = value ? std::strtol(value, nullptr, 10) : 0;
        if (processes > 1)
            return compose(launcher.name, " started ", processes, " processes (", launcher.variable,
                           "=", processes, ")");
    }
    return "";
}

int launcherRank() {
    for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
        if (const char* value = std::getenv(variable))
            return static_cast<int>(std::strtol(value, nullptr, 10));
    return -1;
}

}  // namespace hpspmd::detail
