// The maximum and the minimum of no floats, which the language does not give as infinities.
#pragma once

namespace tutti::nesl {

constexpr double least_float = -1.0e36, greatest_float = 1.0e36;

}  // namespace tutti::nesl
