#include <hpspmd/nest.hpp>

namespace hpspmd::detail {

void Run::takeGeneral(Bound l, Bound u, Index s, Where where) {
    const Block block = range_.localBlocks(l, u, s, where).front();
    first = block.localBase;
    last = first + (block.count - 1) * block.localStep;
}

}  // namespace hpspmd::detail
