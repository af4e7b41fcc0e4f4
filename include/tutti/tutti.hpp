// All of Tutti.
#pragma once
#include "tutti/array.hpp"
#include "tutti/device.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/error.hpp"
#include "tutti/explain.hpp"
#include "tutti/linear_algebra.hpp"
#include "tutti/reduce.hpp"
#include "tutti/runtime.hpp"
#include "tutti/shape.hpp"
#include "tutti/transform.hpp"
#include "tutti/types.hpp"
#include "tutti/value.hpp"
