// Operations on bits take integers.
// message: static assertion failed: this operation takes integers
#include <tutti/tutti.hpp>

using namespace tutti;

auto mask(const Array<1, int>& a, [[maybe_unused]] const Array<1, float>& b) {
#ifdef MISTAKE
  return b & b;
#else
  return a & a;
#endif
}
