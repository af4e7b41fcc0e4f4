// What a command of the shell writes to its standard output.
#pragma once
#include <array>
#include <cstdio>
#include <memory>
#include <string>

namespace tutti::test {

inline std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  if (!pipe) return output;
  std::array<char, 4096> buffer;
  while (const size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    output.append(buffer.data(), n);
  return output;
}

}  // namespace tutti::test
