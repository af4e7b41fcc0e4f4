// Vectors convert on request only.
// message: static assertion failed: the element types differ: convert with cast<T>(...)
#include <tutti/tutti.hpp>

using namespace tutti;

void whole(Vec<int>& a, const Vec<float>& b) {
#ifdef MISTAKE
  a = b * 2.0f;
#else
  a = cast<int>(b * 2.0f);
#endif
}
