// Rounding is defined for the parts of complex numbers.
// message: floor takes no complex numbers: apply it to the parts
#include <tutti/tutti.hpp>

auto rounded(const tutti::Array<1, std::complex<float>>& a) {
#ifdef MISTAKE
  floor(a);
#endif
  return floor(real(a));
}
