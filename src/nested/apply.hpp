// Shared by the lifted operations: operands lifted to the context in which an operation runs, and
// sequences of equal lengths.
#pragma once
#include "nested/context.hpp"
#include "nested/sequence.hpp"
#include "nested/too_many_elements.hpp"

namespace tutti::nested {

// An operation being applied: where it is written, its context, and its operands there.
class Application {
 public:
  Application(const ContextRef& at, std::span<const Value> operands, const char* operation,
              const Location& where);
  // Runs in the given context, which may be further in than the place where it is written.
  static Application in(const ContextRef& context, const ContextRef& at,
                        std::span<const Value> operands, const char* operation,
                        const Location& where);

  const ContextRef& context() const { return context_; }
  int64_t count() const { return context_->count(); }
  bool is_top() const { return !context_->parent(); }
  const Data& operand(int i) const { return operands_[static_cast<size_t>(i)]; }
  const Sequence& sequence(int i) const { return sequence_of(operand(i), operation_, where_); }
  const NodeRef& scalar(int i) const { return scalar_of(operand(i), operation_, where_); }
  NodeRef integer(int i) const;  // as int32; a number that does not fit becomes the nearest

  Value result(Data data) const { return {std::move(data), context_}; }

  // Sequences of equal lengths (otherwise an error), dense.
  struct Aligned {
    SegmentsRef segments;
    std::vector<Data> elements;  // one for each sequence
  };
  Aligned align(std::span<const int> sequences) const;

  // Notes an error in the rows where `wrong` holds.
  void require_not(const NodeRef& wrong, std::vector<NodeRef> facts,
                   std::function<std::string(std::span<const int64_t>)> describe) const;
  void require_not(const ContextRef& context, const NodeRef& wrong, std::vector<NodeRef> facts,
                   std::function<std::string(std::span<const int64_t>)> describe) const;

  const char* operation() const { return operation_; }
  const Location& where() const { return where_; }
  const ContextRef& at() const { return at_; }

 private:
  Application(const ContextRef& context, const ContextRef& at, std::span<const Value> operands,
              const char* operation, const Location& where);
  void take_operand(const Value& operand);

  ApplyingScope scope_;  // the first: lifting operands may fail
  ContextRef at_, context_;
  SmallVector<Data> operands_;
  const char* operation_;
  Location where_;
};

}  // namespace tutti::nested
