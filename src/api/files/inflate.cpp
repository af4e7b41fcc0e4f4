// Decompression of deflate (RFC 1951): blocks that are stored, or whose literals and distances are
// coded by canonical Huffman codes. It stops at any violation of the format.
#include <algorithm>
#include <cstring>

#include "tutti/files.hpp"

namespace tutti::detail {
namespace {

constexpr int longest_code = 15;

// The codes of one alphabet: the number of codes of each length, and their symbols in code order.
class Codes {
 public:
  // Returns false if the lengths name more codes than there are.
  bool build(std::span<const uint8_t> lengths) {
    counts_.fill(0);
    for (const uint8_t length : lengths) ++counts_[length];
    counts_[0] = 0;
    int left = 1;
    for (int length = 1; length <= longest_code; ++length) {
      left = 2 * left - counts_[static_cast<size_t>(length)];
      if (left < 0) return false;
    }
    std::array<uint16_t, longest_code + 2> first{};
    for (size_t length = 1; length <= longest_code; ++length)
      first[length + 1] = static_cast<uint16_t>(first[length] + counts_[length]);
    for (size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] != 0) symbols_[first[lengths[symbol]]++] = static_cast<uint16_t>(symbol);
    return true;
  }

  template <class NextBit>
  int decode(NextBit next_bit) const {  // -1: there is no such code
    int code = 0, first = 0, index = 0;
    for (int length = 1; length <= longest_code; ++length) {
      const int bit = next_bit();
      if (bit < 0) return -1;
      code |= bit;
      const int count = counts_[static_cast<size_t>(length)];
      if (code - first < count) return symbols_[static_cast<size_t>(index + code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }

 private:
  std::array<uint16_t, longest_code + 1> counts_{};
  std::array<uint16_t, 288> symbols_{};
};

class Inflater {
 public:
  Inflater(ByteView in, size_t most, Bytes& out) : in_(in), most_(most), out_(out) {}

  bool run() {
    while (true) {
      const int last = bits(1), kind = bits(2);
      if (last < 0 || kind < 0) return false;
      const bool good = kind == 0 ? stored() : kind == 1 ? fixed() : kind == 2 ? dynamic() : false;
      if (!good) return false;
      if (last) return true;
    }
  }

 private:
  // Returns the next bits, the lowest first; -1 at the end.
  int bits(int count) {
    int result = 0;
    for (int i = 0; i < count; ++i) {
      if (at_ >= 8 * in_.size()) return -1;
      result |= (static_cast<int>(in_[at_ / 8]) >> at_ % 8 & 1) << i;
      ++at_;
    }
    return result;
  }

  bool stored() {
    const size_t from = (at_ + 7) / 8;
    if (in_.size() - std::min(in_.size(), from) < 4) return false;
    const auto word = [&](size_t i) {
      return static_cast<size_t>(in_[from + i]) | static_cast<size_t>(in_[from + i + 1]) << 8;
    };
    const size_t length = word(0);
    if (word(2) != (length ^ 0xffff) || length > in_.size() - from - 4 || !fits(length))
      return false;
    out_.insert(out_.end(), in_.begin() + static_cast<ptrdiff_t>(from + 4),
                in_.begin() + static_cast<ptrdiff_t>(from + 4 + length));
    at_ = 8 * (from + 4 + length);
    return true;
  }

  bool fixed() {
    std::array<uint8_t, 288> lengths{};
    for (size_t i = 0; i < lengths.size(); ++i)
      lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    std::array<uint8_t, 30> distances{};
    distances.fill(5);
    return literals_.build(lengths) && distances_.build(distances) && coded();
  }

  bool dynamic() {
    const int more_literals = bits(5), more_distances = bits(5), more_lengths = bits(4);
    if (more_literals < 0 || more_distances < 0 || more_lengths < 0) return false;
    const size_t literals = 257 + static_cast<size_t>(more_literals),
                 all = literals + 1 + static_cast<size_t>(more_distances);
    if (literals > 286 || all - literals > 30) return false;
    static constexpr uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                        11, 4,  12, 3, 13, 2, 14, 1, 15};
    std::array<uint8_t, 19> length_lengths{};
    for (size_t i = 0; i < 4 + static_cast<size_t>(more_lengths); ++i) {
      const int length = bits(3);
      if (length < 0) return false;
      length_lengths[order[i]] = static_cast<uint8_t>(length);
    }
    Codes of_lengths;
    if (!of_lengths.build(length_lengths)) return false;
    std::array<uint8_t, 286 + 30> lengths{};
    for (size_t i = 0; i < all;) {
      const int symbol = of_lengths.decode([&] { return bits(1); });
      if (symbol < 0) return false;
      if (symbol < 16) {
        lengths[i++] = static_cast<uint8_t>(symbol);
        continue;
      }
      if (symbol == 16 && i == 0) return false;
      const uint8_t repeated = symbol == 16 ? lengths[i - 1] : 0;
      const int extra = symbol == 16 ? bits(2) : symbol == 17 ? bits(3) : bits(7);
      if (extra < 0) return false;
      const size_t times = static_cast<size_t>(extra) + (symbol == 18 ? 11 : 3);
      if (times > all - i) return false;
      std::fill_n(lengths.begin() + static_cast<ptrdiff_t>(i), times, repeated);
      i += times;
    }
    return lengths[256] != 0 && literals_.build({lengths.data(), literals}) &&
           distances_.build({lengths.data() + literals, all - literals}) && coded();
  }

  bool coded() {
    static constexpr uint16_t length_base[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                               15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                               67, 83, 99, 115, 131, 163, 195, 227, 258};
    static constexpr uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                              2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static constexpr uint16_t distance_base[] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    while (true) {
      const int symbol = literals_.decode([&] { return bits(1); });
      if (symbol < 0) return false;
      if (symbol == 256) return true;
      if (symbol < 256) {
        if (!fits(1)) return false;
        out_.push_back(static_cast<std::byte>(symbol));
        continue;
      }
      const auto which = static_cast<size_t>(symbol - 257);
      if (which >= std::size(length_base)) return false;
      const int more_length = bits(length_bits[which]);
      const int distance_symbol = distances_.decode([&] { return bits(1); });
      if (more_length < 0 || distance_symbol < 0 || distance_symbol >= 30) return false;
      const int more_distance = bits(distance_symbol < 4 ? 0 : distance_symbol / 2 - 1);
      if (more_distance < 0) return false;
      const size_t length = length_base[which] + static_cast<size_t>(more_length);
      const size_t distance =
          distance_base[static_cast<size_t>(distance_symbol)] + static_cast<size_t>(more_distance);
      if (distance > out_.size() || !fits(length)) return false;
      for (size_t i = 0; i < length; ++i) out_.push_back(out_[out_.size() - distance]);
    }
  }

  bool fits(size_t more) const { return more <= most_ - out_.size(); }

  ByteView in_;
  size_t at_ = 0;  // in bits
  const size_t most_;
  Bytes& out_;
  Codes literals_, distances_;
};

}  // namespace

bool inflate(ByteView compressed, size_t most, Bytes& result) {
  result.clear();
  return Inflater(compressed, most, result).run();
}

}  // namespace tutti::detail
