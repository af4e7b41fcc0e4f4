#include "faults/child.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace tutti::test {
namespace {

constexpr auto patience = std::chrono::seconds(120);
Shared* of_this_child = nullptr;

std::string name_of_end(int status, const Shared& shared) {
  if (WIFSIGNALED(status))
    return std::string("it was killed by ") + strsignal(WTERMSIG(status)) + " " + shared.problem;
  if (WEXITSTATUS(status) == 0) return "";
  return *shared.problem ? shared.problem
                         : "it ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

SharedMemory::SharedMemory()
    : shared_(static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
  if (shared_ == MAP_FAILED) throw std::runtime_error("no shared memory for a test");
}
SharedMemory::~SharedMemory() { munmap(shared_, sizeof(Shared)); }

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tutti_faults_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder for a test");
  path_ = name;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string run_child(Shared& shared, const std::function<void()>& work) {
  *shared.problem = '\0';
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    of_this_child = &shared;
    try {
      work();
    } catch (const std::exception& error) {
      fail_child(std::string("it threw ") + error.what());
    }
    std::exit(0);  // with all destructors
  }
  int64_t seen = -1;
  auto since = std::chrono::steady_clock::now();
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const int64_t now = shared.point + shared.tried;
    if (now != seen) since = std::chrono::steady_clock::now();
    seen = now;
    if (std::chrono::steady_clock::now() - since < patience) continue;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return "it hangs";
  }
  return name_of_end(status, shared);
}

void fail_child(const std::string& problem) {
  std::snprintf(of_this_child->problem, sizeof of_this_child->problem, "%s", problem.c_str());
  _exit(1);
}

}  // namespace tutti::test
