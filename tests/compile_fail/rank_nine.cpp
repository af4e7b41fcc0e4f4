// An array has at most eight axes.
// message: static assertion failed: an Array has between 0 and 8 dimensions
#include <tutti/tutti.hpp>

using namespace tutti;

auto deeper([[maybe_unused]] const Array<7, float>& seven,
            [[maybe_unused]] const Array<8, float>& eight) {
#ifdef MISTAKE
  return add_dimension(eight, 0);
#else
  return add_dimension(seven, 0);
#endif
}
