#include "nests/passes.hpp"

#include <array>

#include "nests/fast_nests.hpp"

namespace hpcc::nests {

std::span<const ast::Pass> passes() {
    static constexpr std::array table = {
        ast::Pass{"fast-nests",
                  "loops over element pointers in front of each nest, behind one test", 3,
                  fastNests},
    };
    return table;
}

}  // namespace hpcc::nests
