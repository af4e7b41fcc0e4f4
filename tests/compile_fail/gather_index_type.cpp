// Indices are int32: a float index array is refused.
#include <tutti/tutti.hpp>

using namespace tutti;

auto pick(const Array<1, float>& a, const Array<1, int>& i) {
#ifdef MISTAKE
  return gather(a, a);
#else
  return gather(a, i);
#endif
}
