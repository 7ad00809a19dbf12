// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Adlib, the library of collective operations on distributed arrays. All are collective over the
/// APG unless their header says otherwise.

#include <adlib/all.hpp>
#include <adlib/any.hpp>
#include <adlib/aprintf.hpp>
#include <adlib/assemble.hpp>
#include <adlib/broadcast.hpp>
#include <adlib/budget.hpp>
#include <adlib/changes.hpp>
#include <adlib/checkpoint.hpp>
#include <adlib/copy.hpp>
#include <adlib/count.hpp>
#include <adlib/dot_product.hpp>
#include <adlib/file.hpp>
#include <adlib/files.hpp>
#include <adlib/gather.hpp>
#include <adlib/genarray.hpp>
#include <adlib/gprint.hpp>
#include <adlib/halo_under_way.hpp>
#include <adlib/maxloc.hpp>
#include <adlib/maxval.hpp>
#include <adlib/method.hpp>
#include <adlib/method_rows.hpp>
#include <adlib/minloc.hpp>
#include <adlib/minval.hpp>
#include <adlib/modarray.hpp>
#include <adlib/one_sided.hpp>
#include <adlib/pictures.hpp>
#include <adlib/product.hpp>
#include <adlib/progress.hpp>
#include <adlib/reduce.hpp>
#include <adlib/remap.hpp>
#include <adlib/reproducible.hpp>
#include <adlib/scan.hpp>
#include <adlib/scatter.hpp>
#include <adlib/set_boundary.hpp>
#include <adlib/shift.hpp>
#include <adlib/skew.hpp>
#include <adlib/sum.hpp>
#include <adlib/transpose.hpp>
#include <adlib/write_halo.hpp>
#include <adlib/write_halos.hpp>
#include <hpspmd/collective.hpp>
