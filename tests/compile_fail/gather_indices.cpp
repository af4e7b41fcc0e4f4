// A gather takes one index array for each axis.
// message: static assertion failed: gather: one index array for each axis of the array
#include <tutti/tutti.hpp>

using namespace tutti;

auto pick(const Array<2, float>& a, const Array<1, int>& i) {
#ifdef MISTAKE
  return gather(a, i);
#else
  return gather(a, i, i);
#endif
}
