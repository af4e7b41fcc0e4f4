// Element types convert on request only.
// message: could not convert 'a' from 'Array<[...],float>' to 'Array<[...],int>'
#include <tutti/tutti.hpp>

using namespace tutti;

Array<1, int> whole(const Array<1, float>& a) {
#ifdef MISTAKE
  return a;
#else
  return cast<int>(a);
#endif
}
