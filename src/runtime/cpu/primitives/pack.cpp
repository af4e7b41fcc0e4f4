// Packs the values whose flags are set: parts of the vector are counted, then packed, on all
// threads. Flags are computed on the fly in both passes, values in the second.
#include <array>
#include <cstring>

#include "graph/build_primitives.hpp"
#include "runtime/cpu/primitives/compress.hpp"
#include "runtime/cpu/primitives/elements.hpp"
#include "runtime/cpu/primitives/parts.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t stretch = 4096;  // flags and packed values stay in the first-level cache
constexpr int64_t part = 16 * stretch;

template <class V>
class PackRun {
 public:
  explicit PackRun(const PrimitiveArguments& arguments)
      : arguments_(arguments),
        n_(arguments.elements(0)),
        count_(arguments.step.shape[0]),
        flags_(arguments),
        values_(ElementReader::of_values(arguments)) {}

  void run() {
    std::vector<int64_t> starts(static_cast<size_t>((n_ + part - 1) / part) + 1, 0);
    in_parts(n_, part, [&](int64_t begin, int64_t end) {
      for (; begin < end; begin += part)
        starts[static_cast<size_t>(begin / part) + 1] = count(begin, std::min(end, begin + part));
    });
    for (size_t p = 1; p < starts.size(); ++p) starts[p] += starts[p - 1];
    in_parts(n_, part, [&](int64_t begin, int64_t end) {
      for (; begin < end; begin += part)
        pack(begin, std::min(end, begin + part), starts[static_cast<size_t>(begin / part)]);
    });
    if (arguments_.step.get<ir::PackSize>() == ir::PackSize::found)
      return arguments_.note_found(starts.back());
    for (int64_t i = starts.back(); i < count_; ++i) arguments_.output<V>()[i] = V{};
  }

 private:
  // Calls f(flags, begin, end) for ranges of [begin, end).
  template <class F>
  void for_each_stretch(int64_t begin, int64_t end, F f) const {
    std::array<uint8_t, stretch> room;
    for (; begin < end; begin += stretch) {
      const int64_t stop = std::min(end, begin + stretch);
      f(static_cast<const uint8_t*>(flags_.read(begin, stop, room.data())), begin, stop);
    }
  }

  int64_t count(int64_t begin, int64_t end) const {
    int64_t result = 0;
    for_each_stretch(begin, end, [&](const uint8_t* flags, int64_t from, int64_t to) {
      uint32_t sum = 0;
      for (int64_t i = 0; i < to - from; ++i) sum += flags[i];
      result += sum;
    });
    return result;
  }

  void pack(int64_t begin, int64_t end, int64_t place) const {
    std::array<V, stretch + compress_slack> packed;
    std::array<V, stretch> room;
    for_each_stretch(begin, end, [&](const uint8_t* flags, int64_t from, int64_t to) {
      const auto* values = static_cast<const V*>(values_.read(from, to, room.data()));
      const size_t found = compress(flags, values, static_cast<size_t>(to - from), packed.data());
      const int64_t taken = std::clamp<int64_t>(count_ - place, 0, static_cast<int64_t>(found));
      std::memcpy(arguments_.output<V>() + place, packed.data(),
                  static_cast<size_t>(taken) * sizeof(V));
      place += taken;
    });
  }

  const PrimitiveArguments& arguments_;
  const int64_t n_, count_;
  const ElementReader flags_, values_;
};

}  // namespace

void pack(const PrimitiveArguments& arguments) {
  switch (size_of(arguments.step.type)) {
    case 1:
      return PackRun<uint8_t>(arguments).run();
    case 2:
      return PackRun<uint16_t>(arguments).run();
    case 4:
      return PackRun<uint32_t>(arguments).run();
    default:
      return PackRun<uint64_t>(arguments).run();
  }
}

}  // namespace tutti::runtime
