// The functions of the library do not capture calls on plain numbers.
// message: no matching function for call to 'max(float&, float&)'
#include <tutti/tutti.hpp>

using namespace tutti;

auto larger(const Array<1, float>& a, [[maybe_unused]] float x) {
#ifdef MISTAKE
  return tutti::max(x, x);
#else
  return tutti::max(a, x);
#endif
}
