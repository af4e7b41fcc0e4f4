// The size of this process as the system reports it: resident memory, mappings, descriptors,
// threads.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace tutti::test {

// Sanitizers keep freed memory for a while: the size of the process then says nothing of a leak.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool freed_memory_stays = true;
#else
constexpr bool freed_memory_stays = false;
#endif

// A field of /proc/self/status: "VmRSS" in kilobytes, "Threads" as a number.
inline int64_t process_status(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field + ":")) return std::stoll(line.substr(field.size() + 1));
  return -1;
}

inline int64_t mappings() {
  std::ifstream maps("/proc/self/maps");
  int64_t lines = 0;
  for (std::string line; std::getline(maps, line);) ++lines;
  return lines;
}

inline int64_t descriptors() {
  int64_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++count;
  return count - 1;  // the one that reads the list
}

}  // namespace tutti::test
