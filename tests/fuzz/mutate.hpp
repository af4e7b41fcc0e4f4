// Mutations of bytes whose fields are known: fields get extreme values, values of other fields, or
// small changes; ranges are cut out, repeated or exchanged.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace tutti::test {

struct Field {
  size_t at, bytes;
};

class Mutation {
 public:
  explicit Mutation(uint64_t seed) : random_(seed) {}

  std::string apply(std::string bytes, const std::vector<Field>& fields) {
    for (int times = 1 + pick(pick(4) ? 2 : 8); times > 0 && !bytes.empty(); --times)
      change(bytes, fields);
    return bytes;
  }

  uint64_t pick(uint64_t n) { return random_() % n; }

 private:
  void change(std::string& bytes, const std::vector<Field>& fields) {
    const uint64_t kind = pick(20);
    if (kind < 15 && !fields.empty()) return change_field(bytes, fields);
    const size_t at = pick(bytes.size()), count = std::min<size_t>(bytes.size() - at, pick(32));
    if (kind < 17)
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(8)));
    else if (kind == 17)
      bytes.erase(at, count);
    else if (kind == 18)
      bytes.insert(at, bytes.substr(pick(bytes.size()), count));
    else
      bytes.resize(at);
  }

  void change_field(std::string& bytes, const std::vector<Field>& fields) {
    const Field field = fields[pick(fields.size())], other = fields[pick(fields.size())];
    // Earlier changes may have made the bytes shorter.
    if (field.at + field.bytes > bytes.size() || other.at + other.bytes > bytes.size()) return;
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + field.at, field.bytes);
    static constexpr uint64_t extremes[] = {
        0,          1,          2,          7,          8,           9,          127,
        128,        255,        4096,       65535,      0x7fffffffu, 0x80000000, 0xffffffff,
        1ull << 32, 1ull << 47, 1ull << 62, 1ull << 63, ~0ull,       ~0ull - 1};
    switch (pick(6)) {
      case 0:
      case 1:
        value = extremes[pick(std::size(extremes))];
        break;
      case 2:
        value += pick(2) ? 1 : ~0ull;
        break;
      case 3:
        value = pick(24);
        break;
      case 4:
        value = 0;
        std::memcpy(&value, bytes.data() + other.at, other.bytes);
        break;
      default:
        value ^= 1ull << pick(8 * field.bytes);
    }
    std::memcpy(bytes.data() + field.at, &value, field.bytes);
  }

  std::mt19937_64 random_;
};

}  // namespace tutti::test
