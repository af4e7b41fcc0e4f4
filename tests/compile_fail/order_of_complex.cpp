// Complex numbers have no order.
// message: complex numbers have no order: compare abs(z) or real(z)
#include <tutti/tutti.hpp>

tutti::Array<1, bool> smaller(const tutti::Array<1, std::complex<float>>& a,
                              const tutti::Array<1, std::complex<float>>& b) {
#ifdef MISTAKE
  a < b;
#endif
  return abs(a) < abs(b);
}
