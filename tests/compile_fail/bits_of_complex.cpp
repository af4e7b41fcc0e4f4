// Complex numbers have no bits.
// message: complex numbers have no remainders, bits and truth values
#include <tutti/tutti.hpp>

auto combined(const tutti::Array<1, std::complex<float>>& a,
              const tutti::Array<1, std::complex<float>>& b) {
#ifdef MISTAKE
  a & b;
#endif
  return a * b;
}
