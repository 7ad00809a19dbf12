// Another library that knows arrays, as far as the cases need it.
#pragma once

#include <hpspmd>

namespace foreign {

inline void reset(hpspmd::Array<double, hpspmd::Dist, hpspmd::Dist> a) {
    for (hpspmd::Index k = 0; k < a.localExtent(0); ++k)
        for (hpspmd::Index l = 0; l < a.localExtent(1); ++l)
            a.data()[a.stride(0) * k + a.stride(1) * l] = 7;
}

}  // namespace foreign
