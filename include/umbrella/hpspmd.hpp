// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What `#include <hpspmd>` includes in any case: what hpcc precompiles.

#include <adlib/adlib.hpp>
#include <hpspmd/abi.hpp>
#include <hpspmd/active.hpp>
#include <hpspmd/array.hpp>
#include <hpspmd/batch.hpp>
#include <hpspmd/check.hpp>
#include <hpspmd/create.hpp>
#include <hpspmd/device/launch.hpp>
#include <hpspmd/divide.hpp>
#include <hpspmd/element.hpp>
#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/nest.hpp>
#include <hpspmd/observed.hpp>
#include <hpspmd/overall.hpp>
#include <hpspmd/own_elements.hpp>
#include <hpspmd/print.hpp>
#include <hpspmd/procs.hpp>
#include <hpspmd/ranges.hpp>
#include <hpspmd/section.hpp>
#include <hpspmd/shape.hpp>
#include <hpspmd/target.hpp>
#include <hpspmd/threads.hpp>
#include <hpspmd/values_once.hpp>
