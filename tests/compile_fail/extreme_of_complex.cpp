// The greatest of complex numbers does not exist.
// message: complex numbers have no order, bits and truth values: reduce abs(z) or real(z)
#include <tutti/tutti.hpp>

float longest(const tutti::Array<1, std::complex<float>>& a) {
#ifdef MISTAKE
  max_val(a);
#endif
  return max_val(abs(a));
}
