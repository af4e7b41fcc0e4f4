// How many bits the floats of the language have: 64, or 32 when single precision is asked for. One
// choice for the process, to be made before a session begins.
#pragma once

namespace tutti::nesl {

enum class Precision { full, single };

void set_precision(Precision precision);
Precision precision();

}  // namespace tutti::nesl
