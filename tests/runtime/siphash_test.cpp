// The checksum of the disk cache, against the vectors of its authors.
#include "core/caching/siphash.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tutti::test {
namespace {

// The key is 00 01 ... 0f, the message 00 01 ... (n - 1).
uint64_t of_bytes(size_t n) {
  std::string message;
  for (size_t i = 0; i < n; ++i) message += static_cast<char>(i);
  return SipHash({0x0706050403020100u, 0x0f0e0d0c0b0a0908u}).add(message).result();
}

TEST(SipHash, GivesTheVectorsOfItsAuthors) {
  EXPECT_EQ(of_bytes(0), 0x726fdb47dd0e0e31u);
  EXPECT_EQ(of_bytes(1), 0x74f839c593dc67fdu);
  EXPECT_EQ(of_bytes(8), 0x93f5f5799a932462u);
  EXPECT_EQ(of_bytes(15), 0xa129ca6149be45e5u);
}

TEST(SipHash, PartsAreOneMessage) {
  const std::string message = "in any number of parts, of any length";
  const SecretKey key{1, 2};
  const uint64_t whole = SipHash(key).add(message).result();
  for (size_t first = 0; first <= message.size(); ++first)
    for (size_t second = first; second <= message.size(); ++second)
      EXPECT_EQ(SipHash(key)
                    .add(message.substr(0, first))
                    .add(message.substr(first, second - first))
                    .add(message.substr(second))
                    .result(),
                whole);
  EXPECT_NE(SipHash({1, 3}).add(message).result(), whole);
}

}  // namespace
}  // namespace tutti::test
