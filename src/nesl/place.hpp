// Where a run-time error happened, in the program's own words: a function and a line. An error
// inside a function of the library is reported at the call in the program that led there.
#pragma once
#include <string>

namespace tutti::nesl {

struct CoreExpr;
struct CoreFunction;

struct Place {
  const CoreFunction* function = nullptr;  // of the program; null: not known
  const CoreExpr* expr = nullptr;          // in that function
  const CoreFunction* through = nullptr;   // the function of the library that it calls, if any
};

// " (in f, line 3 of x.nesl)", as much of it as is known; "" if nothing is.
std::string to_text(const Place& place);

}  // namespace tutti::nesl
