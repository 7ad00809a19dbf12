#pragma once
/// Adlib, the library of collective operations on distributed arrays. All are collective over the
/// APG unless their header says otherwise.

#include <adlib/all.hpp>
#include <adlib/any.hpp>
#include <adlib/copy.hpp>
#include <adlib/count.hpp>
#include <adlib/maxval.hpp>
#include <adlib/minval.hpp>
#include <adlib/product.hpp>
#include <adlib/remap.hpp>
#include <adlib/shift.hpp>
#include <adlib/sum.hpp>
#include <adlib/write_halo.hpp>
