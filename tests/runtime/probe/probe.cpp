// A small process for tests of what happens once: prints the settings it started with, one a line,
// then computes something with two kernels and prints "sum 1200".
#include <tutti/tutti.hpp>

#include <cstdio>
#include <vector>

using namespace tutti;

int main() {
  const Settings s = settings();
#define TUTTI_SWITCH(variable, member, meaning) std::printf(#member " %d\n", s.member);
#define TUTTI_NUMBER(variable, member, least, greatest, meaning) \
  std::printf(#member " %lld\n", static_cast<long long>(s.member));
#include "core/settings/settings.def"
  std::printf("cache_dir %s\n", s.cache_dir.c_str());
  const Array<1, float> a(std::vector<float>(100, 5.0f));
  const Array<1, float> doubled = a * 2.0f + 2.0f;
  doubled.evaluate();
  std::printf("sum %g\n", static_cast<double>(sum(doubled).item()));
  std::printf("kernels_from_disk %lld\n", static_cast<long long>(statistics().kernels_from_disk));
  return 0;
}
