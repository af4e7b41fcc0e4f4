// A small process for tests of what happens once: prints the settings it started with, one a line,
// then computes something with two kernels and prints "sum 1200".
#include <tutti/tutti.hpp>

#include <cstdio>
#include <vector>

using namespace tutti;

int main() {
  const Settings s = settings();
  std::printf(
      "threads %d\nreproducible %d\ninterpret %d\ndisk_cache %d\ncache_dir %s\ncache_bytes %lld\n"
      "max_pending_operations %d\nmax_pending_bytes %lld\npool_bytes %lld\nmax_bytes %lld\nlog "
      "%d\n",
      s.threads, s.reproducible, s.interpret, s.disk_cache, s.cache_dir.c_str(),
      static_cast<long long>(s.cache_bytes), s.max_pending_operations,
      static_cast<long long>(s.max_pending_bytes), static_cast<long long>(s.pool_bytes),
      static_cast<long long>(s.max_bytes), s.log);
  const Array<1, float> a(std::vector<float>(100, 5.0f));
  const Array<1, float> doubled = a * 2.0f + 2.0f;
  doubled.evaluate();
  std::printf("sum %g\n", static_cast<double>(sum(doubled).item()));
  std::printf("kernels_from_disk %lld\n", static_cast<long long>(statistics().kernels_from_disk));
  return 0;
}
