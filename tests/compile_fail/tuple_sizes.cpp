// Tuples combine with tuples of the same size only.
// message: static assertion failed: tuples combine with tuples of the same size or with scalars
#include <tutti/tutti.hpp>

using namespace tutti;

auto sum_of(const Array<1, Value2f>& a, const Array<1, Value2f>& b,
            [[maybe_unused]] const Array<1, Value3f>& c) {
#ifdef MISTAKE
  return a + c;
#else
  return a + b;
#endif
}
