// A small process that is traced: computes, and then ends as its argument says. It prints its
// number first, because names of files may contain it.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tutti/tutti.hpp>
#include <vector>

using namespace tutti;

namespace {

float compute(float factor) {
  const Array<1, float> a(std::vector<float>(1000, 2.0f));
  return sum(a * factor + 1.0f).item();
}

void crash() { raise(SIGSEGV); }

}  // namespace

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "return";
  std::printf("%d\n", static_cast<int>(getpid()));
  std::fflush(stdout);
  std::printf("sum %g\n", static_cast<double>(compute(2.0f)));
  std::fflush(stdout);
  if (std::strcmp(how, "segv") == 0) crash();
  if (std::strcmp(how, "abort") == 0) std::abort();
  if (std::strcmp(how, "term") == 0) raise(SIGTERM);
  if (std::strcmp(how, "kill") == 0) {
    usleep(400'000);  // longer than events wait to be written
    raise(SIGKILL);
  }
  if (std::strcmp(how, "fork") == 0) {
    if (fork() == 0) {
      std::printf("%d\n", static_cast<int>(getpid()));
      std::printf("sum %g\n", static_cast<double>(compute(3.0f)));
      std::fflush(stdout);
      std::exit(0);
    }
    wait(nullptr);
    compute(4.0f);
  }
  if (std::strcmp(how, "long") == 0)
    for (int i = 0; i < 20'000; ++i) compute(static_cast<float>(i));
  return 0;
}
