// A recorded body while it runs: nothing is computed. Vectors and numbers hold stand-ins instead of
// elements, and expressions become nodes over the nodes of their operands.
#pragma once
#include <typeinfo>
#include <unordered_map>

#include "graph/node.hpp"
#include "tutti/detail/expression_kernel.hpp"

namespace tutti::detail {

// Represents elements that a run of the body will find or compute.
class StandIn final : public ir::Buffer {
 public:
  explicit StandIn(NodeRef node) : Buffer(0, true), node_(std::move(node)) {}
  void* data() override { refuse(); }
  const NodeRef& node() const { return node_; }  // null for the elements of an array variable

  // Throws Error, because the program reads elements that do not exist.
  [[noreturn]] void refuse() const override;

 private:
  NodeRef node_;
};

inline bool is_stand_in(const ir::Buffer& buffer) { return typeid(buffer) == typeid(StandIn); }

class BodyRecorder {
 public:
  BodyRecorder() : before_(current_) { current_ = this; }
  ~BodyRecorder() { current_ = before_; }
  BodyRecorder(const BodyRecorder&) = delete;
  BodyRecorder& operator=(const BodyRecorder&) = delete;

  // Returns that of this thread, or null if nothing is being recorded.
  static BodyRecorder* current() { return current_; }

  NodeRef node_of(const StoredOperand& operand);
  bool has_empty_vectors() const { return has_empty_vectors_; }  // among the operands so far

 private:
  static thread_local BodyRecorder* current_;
  BodyRecorder* before_;
  bool has_empty_vectors_ = false;
  std::unordered_map<const ir::Buffer*, NodeRef> leaves_;  // of other vectors
};

}  // namespace tutti::detail
