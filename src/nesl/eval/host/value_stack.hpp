// The slots of the functions that are running on the host: a stack of values in chunks, so that a
// frame never moves. Frames are taken and given back in the order of calls.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "nesl/values/value.hpp"

namespace tutti::nesl {

class ValueStack {
 public:
  ValueStack() = default;
  ValueStack(const ValueStack&) = delete;

  class Frame {
   public:
    // That many values, all of them 0.
    Frame(ValueStack& stack, std::size_t count) : stack_(stack) { take(count); }
    ~Frame() { give_back(); }
    Frame(const Frame&) = delete;

    Value* slots() const { return base_; }
    ValueStack& stack() const { return stack_; }
    std::size_t size() const { return count_; }
    // Begins with these values, which are moved; the others are 0.
    void replace(Value* first, std::size_t given) {
      std::move(first, first + given, base_);
      for (std::size_t i = given; i < count_; ++i) base_[i] = Value();
    }
    // With more values. Must be the last frame of the stack.
    void replace(std::vector<Value> first, std::size_t count) {
      give_back();
      take(count);
      std::move(first.begin(), first.end(), base_);
    }

   private:
    void take(std::size_t count) {
      before_ = stack_.top_;
      before_end_ = stack_.end_;
      base_ = stack_.push(count);
      count_ = count;
    }
    void give_back() {
      std::destroy_n(base_, count_);
      count_ = 0;
      if (stack_.end_ != before_end_) stack_.leave_chunk();
      stack_.top_ = before_;
      stack_.end_ = before_end_;
    }
    ValueStack& stack_;
    Value* base_;
    std::size_t count_;
    Value *before_, *before_end_;
  };

 private:
  Value* push(std::size_t count) {
    if (static_cast<std::size_t>(end_ - top_) < count) enter_chunk(count);
    Value* base = top_;
    std::uninitialized_default_construct_n(base, count);
    top_ += count;
    return base;
  }
  void enter_chunk(std::size_t count);
  void leave_chunk() { --used_; }

  struct Chunk {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t values;
  };
  std::vector<Chunk> chunks_;
  std::size_t used_ = 0;  // chunks with frames
  Value *top_ = nullptr, *end_ = nullptr;
};

}  // namespace tutti::nesl
