// The result of an operation is no variable: it cannot be assigned to.
// message: as 'this' argument discards qualifiers
#include <tutti/tutti.hpp>

using namespace tutti;

void set_first(Array<1, float>& a, const Array<1, float>& b) {
#ifdef MISTAKE
  a[0] = 1.0f;
#else
  slice(a, 0, 1) = 1.0f;
#endif
  slice(a, 1, 2) = slice(b, 0, 1);
}
