// Indices are int32: a float index array is refused.
// message: static assertion failed: gather: index arrays have elements of int32_t or int64_t
#include <tutti/tutti.hpp>

using namespace tutti;

auto pick(const Array<1, float>& a, const Array<1, int>& i) {
#ifdef MISTAKE
  return gather(a, a);
#else
  return gather(a, i);
#endif
}
