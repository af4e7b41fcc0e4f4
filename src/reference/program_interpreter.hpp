// The reference interpreter for programs: one element at a time, statement by statement.
#pragma once
#include <cstddef>

#include "program/program.hpp"

namespace tutti::ir {

// Observes every statement that a program runs.
class StatementObserver {
 public:
  virtual ~StatementObserver() = default;
  // Called after a statement that is not a construct. `values` are all values of the program by
  // number. `position` is the element of the table or local array, or -1 if it is outside or there
  // is none.
  virtual void executed(const Statement& s, std::span<const ScalarValue> values,
                        int64_t position) = 0;
};

class ProgramInterpreter {
 public:
  struct Table {
    const std::byte* elements;
    Extents shape;
  };
  ProgramInterpreter(const ScalarProgram& program, std::vector<Table> tables);

  // Counts statements down from `left`, which outlives this, and throws Error when none are left.
  void limit_statements(int64_t& left) { left_ = &left; }

  void observe(StatementObserver& observer) { observer_ = &observer; }

  // Returns the outputs for one element; traces print its number.
  std::vector<ScalarValue> run(std::span<const ScalarValue> inputs, int64_t element);

 private:
  enum class Flow : uint8_t { on, leave, next };
  Flow run(const Block& block);
  Flow run(const Statement& statement);
  Flow run_loop(const Statement& loop);
  void note(const Statement& s, int64_t position = -1) {
    if (observer_) observer_->executed(s, values_, position);
  }
  int64_t position_of(const Statement& gather) const;  // in the table; -1: outside
  ScalarValue gather(const Statement& s, int64_t position) const;
  int64_t element_of(const Statement& s) const;  // of a local array; -1: outside
  void trace(const Statement& s) const;
  void count(int64_t statements);
  const ScalarValue& value(int i) const { return values_[static_cast<size_t>(i)]; }

  const ScalarProgram& program_;
  const std::vector<Table> tables_;
  std::vector<ScalarValue> values_, slots_;
  std::vector<std::vector<ScalarValue>> arrays_;
  int64_t element_ = 0;
  int64_t* left_ = nullptr;
  StatementObserver* observer_ = nullptr;
};

}  // namespace tutti::ir
