#pragma once

// Torch and doctest both define CHECK; in tests it is doctest's.

#include <torch/types.h>
#include <torch/utils.h>
#undef CHECK
#undef CHECK_EQ
#undef CHECK_NE
#undef CHECK_LT
#undef CHECK_LE
#undef CHECK_GT
#undef CHECK_GE
#include <doctest/doctest.h>
