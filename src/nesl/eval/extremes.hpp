// The maximum and the minimum of no floats, which the language does not give as infinities. They
// are floats of 32 bits, also where others have 64, as the original has them.
#pragma once

namespace tutti::nesl {

constexpr double least_float = -1.0e36f, greatest_float = 1.0e36f;

}  // namespace tutti::nesl
