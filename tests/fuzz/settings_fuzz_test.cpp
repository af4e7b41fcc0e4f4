// Settings with any text in the environment, and any numbers from the program: what is taken over
// is within its range.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <cstdlib>
#include <random>

#include "core/settings/environment.hpp"
#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

std::string some_text(std::mt19937_64& random) {
  static const std::string texts[] = {"0",
                                      "1",
                                      "-1",
                                      "2147483648",
                                      "9223372036854775807",
                                      "99999999999999999999",
                                      "1e9",
                                      "4G",
                                      "8GG",
                                      "0x",
                                      "on",
                                      " 5",
                                      "\x1b[31m",
                                      "%s%n"};
  std::string text = texts[random() % std::size(texts)];
  for (uint64_t more = random() % 4; more > 0; --more)
    text.insert(text.begin() + static_cast<int>(random() % (text.size() + 1)),
                static_cast<char>(1 + random() % 255));
  return text;
}

TEST(Fuzz, AnyTextInTheEnvironmentGivesUsableSettings) {
  static constexpr const char* names[] = {
      "TUTTI_THREADS",    "TUTTI_CACHE_BYTES", "TUTTI_MAX_PENDING", "TUTTI_MAX_PENDING_BYTES",
      "TUTTI_POOL_BYTES", "TUTTI_SMALL_WORK",  "TUTTI_LOOP_LIMIT",  "TUTTI_INTERPRET",
      "TUTTI_CHECKS",     "TUTTI_SIMD_BITS",   "TUTTI_NONSENSE",    "TUTTI_INDEX_CHECKS"};
  const Settings before = settings();
  std::mt19937_64 random(static_cast<uint64_t>(first_seed()));
  for (int round = 0; round < 2000; ++round) {
    const char* name = names[random() % std::size(names)];
    const std::string text = some_text(random);
    setenv(name, text.c_str(), 1);
    ::testing::internal::CaptureStderr();
    const Settings read = settings_from_environment();
    const int bits = simd_bits_from_environment();
    const std::string reported = ::testing::internal::GetCapturedStderr();
    EXPECT_NO_THROW(set_settings(read)) << name << "=" << text;
    EXPECT_TRUE(bits == 0 || bits == 128 || bits == 256 || bits == 512) << text;
    for (const char letter : reported)
      EXPECT_TRUE(letter == '\n' || (letter >= ' ' && letter < 127)) << reported;
    unsetenv(name);
  }
  set_settings(before);
}

}  // namespace
}  // namespace tutti::test
