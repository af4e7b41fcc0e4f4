// A small process whose result holds NaN: prints what TUTTI_CHECK says of it, or "done".
#include <tutti/tutti.hpp>

#include <cstdio>
#include <vector>

int main() {
  const tutti::Array<1, float> a(std::vector<float>{1, -2});
  try {
    log(a).evaluate();
    std::puts("done");
  } catch (const tutti::CheckError& error) {
    std::puts(error.what());
  }
}
