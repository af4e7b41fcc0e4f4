// Runs the tutti command as a user does.
#pragma once
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace tutti::test {

struct Finished {
  int status = -1;     // -1 after a signal
  std::string output;  // of stdout and stderr
};

// `variables` are assignments before the command. It reads nothing.
inline Finished command(const std::string& arguments, const std::string& variables = "") {
  Finished result;
  const std::string line = variables + " " TUTTI_COMMAND " " + arguments + " 2>&1 </dev/null";
  FILE* const pipe = popen(line.c_str(), "r");
  std::array<char, 4096> part;
  while (const size_t n = std::fread(part.data(), 1, part.size(), pipe))
    result.output.append(part.data(), n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

}  // namespace tutti::test
