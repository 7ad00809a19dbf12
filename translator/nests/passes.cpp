// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/passes.hpp"

#include <array>

#include "nests/fast_nests.hpp"
#include "nests/fusion.hpp"
#include "nests/home.hpp"
#include "nests/matrix_product.hpp"
#include "nests/normalize/bind_handles.hpp"
#include "nests/normalize/count_down.hpp"
#include "nests/normalize/element_references.hpp"
#include "nests/normalize/folding.hpp"
#include "nests/normalize/generator_nests.hpp"
#include "nests/normalize/plain_statements.hpp"
#include "nests/normalize/reduction_nests.hpp"
#include "nests/normalize/scratch_values.hpp"
#include "nests/normalize/section_elements.hpp"
#include "nests/normalize/sums_at_once.hpp"
#include "nests/normalize/sums_together.hpp"
#include "nests/normalize/values_once.hpp"
#include "nests/overlap.hpp"
#include "nests/pattern_kernels.hpp"
#include "nests/reductions.hpp"
#include "nests/shift_loops.hpp"

namespace hpcc::nests {

std::span<const ast::Pass> normalizations() {
    static constexpr std::array table = {
        ast::Pass{"count-down", "loops that count down in their conditions, by their steps", 3,
                  countDown},
        ast::Pass{"folding", "values in the generators that read them, without an array", 3,
                  folding},
        ast::Pass{"section-elements", "elements of arrays in the place of those of sections", 3,
                  sectionElements},
        ast::Pass{"reduction-nests", "nests for reductions over expressions", 3, reductionNests},
        ast::Pass{"generator-nests", "nests for generators of new arrays", 3, generatorNests},
        ast::Pass{"plain-statements",
                  "switch, declarations in conditions and loops over elements, by if and for", 3,
                  plainStatements},
        ast::Pass{"shift-loops", "short loops that shift an index, written out", 3, shiftLoops},
        ast::Pass{"bind-handles", "names for arrays that nests reach by an expression", 3,
                  bindHandles},
        ast::Pass{"element-references", "elements in the place of references to them", 3,
                  elementReferences},
        ast::Pass{"sums-together", "reductions of all iterations of a loop in front of it", 3,
                  sumsTogether},
        ast::Pass{"sums-at-once", "reductions of statements behind one another in one pass", 3,
                  sumsAtOnce},
        ast::Pass{"scratch-values", "values in the place of elements of scratch arrays in sums", 3,
                  scratchValues},
        ast::Pass{"values-once", "values of inner counters once, in front of nests", 3, valuesOnce},
    };
    return table;
}

std::span<const ast::Pass> passes() {
    static constexpr std::array table = {
        ast::Pass{"fusion",
                  "adjacent nests over the same elements as one, temporaries as variables", 3,
                  fusion},
        ast::Pass{"pattern-kernels", "kernels for the functions of patterns", 3, patternKernels},
        ast::Pass{"home", "questions where elements are, outside of nests", 3, askAtHome},
        ast::Pass{"library-products", "products of matrices by libraries of devices", 3,
                  libraryProducts},
        ast::Pass{"fast-nests",
                  "loops over element pointers in front of each nest, behind one test", 3,
                  fastNests},
        ast::Pass{"overlap", "ghost cells that travel while the interior of a nest runs", 3,
                  overlap},
        ast::Pass{"reductions", "sums, largest and least numbers of several iterations at once", 3,
                  reductions},
    };
    return table;
}

}  // namespace hpcc::nests
