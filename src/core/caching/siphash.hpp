// SipHash-2-4 (Aumasson and Bernstein, 2012): a checksum with a secret key. Without the key, a
// message with a valid checksum cannot be made.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tutti {

using SecretKey = std::array<uint64_t, 2>;

class SipHash {
 public:
  explicit SipHash(const SecretKey& key)
      : v_{key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du, key[0] ^ 0x6c7967656e657261u,
           key[1] ^ 0x7465646279746573u} {}

  // Bytes may be added in parts: the result depends on their concatenation.
  SipHash& add(std::string_view bytes) {
    length_ += bytes.size();
    for (; !bytes.empty() && held_ > 0; bytes.remove_prefix(1)) add_byte(bytes.front());
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
      uint64_t word;
      std::memcpy(&word, bytes.data(), sizeof word);
      add_word(word);
    }
    for (const char byte : bytes) add_byte(byte);
    return *this;
  }

  uint64_t result() const {
    SipHash last = *this;
    last.add_word(word_ | length_ << 56);
    last.v_[2] ^= 0xff;
    for (int i = 0; i < 4; ++i) last.round();
    return last.v_[0] ^ last.v_[1] ^ last.v_[2] ^ last.v_[3];
  }

 private:
  void add_byte(char byte) {
    word_ |= uint64_t{static_cast<unsigned char>(byte)} << 8 * held_;
    if (++held_ < 8) return;
    add_word(word_);
    word_ = 0;
    held_ = 0;
  }
  void add_word(uint64_t word) {
    v_[3] ^= word;
    round();
    round();
    v_[0] ^= word;
  }
  void round() {
    v_[0] += v_[1];
    v_[2] += v_[3];
    v_[1] = std::rotl(v_[1], 13) ^ v_[0];
    v_[3] = std::rotl(v_[3], 16) ^ v_[2];
    v_[0] = std::rotl(v_[0], 32);
    v_[2] += v_[1];
    v_[0] += v_[3];
    v_[1] = std::rotl(v_[1], 17) ^ v_[2];
    v_[3] = std::rotl(v_[3], 21) ^ v_[0];
    v_[2] = std::rotl(v_[2], 32);
  }

  std::array<uint64_t, 4> v_;
  uint64_t word_ = 0, length_ = 0;
  int held_ = 0;  // bytes in word_
};

}  // namespace tutti
