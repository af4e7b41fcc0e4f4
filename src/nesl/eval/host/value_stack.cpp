#include "nesl/eval/host/value_stack.hpp"

namespace tutti::nesl {
namespace {

constexpr std::size_t values_of_a_chunk = 4096;

}  // namespace

// Chunks above the used ones are kept: a loop around the end of one would make them again and
// again.
void ValueStack::enter_chunk(std::size_t count) {
  if (used_ < chunks_.size() && chunks_[used_].values < count) chunks_.resize(used_);
  if (used_ == chunks_.size()) {
    const std::size_t values = std::max(count, values_of_a_chunk);
    chunks_.push_back(
        {std::make_unique_for_overwrite<std::byte[]>(values * sizeof(Value)), values});
  }
  const Chunk& chunk = chunks_[used_++];
  top_ = reinterpret_cast<Value*>(chunk.bytes.get());
  end_ = top_ + chunk.values;
}

}  // namespace tutti::nesl
