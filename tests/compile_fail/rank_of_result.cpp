// The rank of a reduction is part of its type.
// message: from 'Array<0,[...]>' to 'Array<1,[...]>'
#include <tutti/tutti.hpp>

using namespace tutti;

Array<1, float> rows(const Array<2, float>& a) {
#ifdef MISTAKE
  return sum(a);
#else
  return sum(a, 1);
#endif
}
