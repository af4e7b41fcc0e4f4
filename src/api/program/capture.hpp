// The capture of a program on one thread: a recording in progress. It tracks the value of each slot
// as far as it is certain, so that straight-line code does not use slots: a program without control
// flow becomes a Function.
#pragma once
#include <map>
#include <optional>

#include "api/program/program_data.hpp"
#include "program/linearise.hpp"
#include "tutti/detail/control.hpp"

namespace tutti::detail {

class Capture {
 public:
  explicit Capture(const Location& where) : where_(where) {}

  // Returns the capture of this thread, or null if there is none.
  static Capture*& current();
  // Does the same, but throws an error that names `what` if there is none.
  static Capture& require(const char* what, const Location& where);

  int64_t id() const { return id_; }
  const Location& where() const { return where_; }

  // Variables.
  int declare(std::span<const NodeRef> values);  // returns the first slot
  NodeRef read(int slot);
  void assign(int slot, const NodeRef& value);

  // The interface, in the order of the declarations.
  std::vector<NodeRef> declare_input(std::span<const ElementType> types, const Location& where);
  void declare_output(int first_slot, std::span<const ElementType> types, bool assigned,
                      const Location& where);

  // Reads a variable or array from outside, whose value is taken when the program runs.
  NodeRef outside(Source source, ElementType type, int rank);

  // Local arrays.
  int declare_array(ElementType type, int64_t size);
  NodeRef read_element(int array, const NodeRef& index);
  void assign_element(int array, const NodeRef& index, const NodeRef& value);
  void trace(const std::string& label, const NodeRef& value);

  // Control flow.
  void begin_if(const NodeRef& condition, bool chained, const Location& where);
  void begin_else(const Location& where);
  void end_if(const Location& where);
  void begin_loop(const char* name, const Location& where);
  void leave_unless(const NodeRef& condition, bool wanted, const Location& where);
  void begin_step(const Location& where);
  void end_step(const Location& where);
  void end_loop(const Location& where);
  void jump(ir::Statement::Kind kind, const char* keyword, const Location& where);

  ProgramData finish();

 private:
  using Block = ir::RecordedBlock;
  struct Frame {
    enum class Kind : uint8_t { branch, loop, step } kind;
    const char* name;
    Location where;
    bool chained = false;                     // an ELSEIF: ends together with the IF before it
    int blocks = 0;                           // begun so far
    int64_t first_node = 0;                   // nodes of the branches have at least this number
    std::vector<NodeRef> before;              // the values of slots at the start
    std::vector<std::vector<NodeRef>> after;  // branch: the values at the end of each block
    std::vector<bool> assigned;               // slots that are assigned within the frame
    ir::RecordedStatement statement;
  };

  Frame& top(Frame::Kind kind, const char* keyword, const Location& where);
  void add(ir::RecordedStatement statement);
  Block& block();
  void mark_assigned(std::vector<bool>& into, const std::vector<bool>& from);
  void leave_frame(Frame& frame);
  bool flattens(const Frame& frame) const;
  void flatten(Frame frame);

  const int64_t id_ = next_id();
  static int64_t next_id();
  const Location where_;
  ir::Recording recording_;
  std::vector<NodeRef> known_;  // by slot: its current value; null: not known
  std::vector<Frame> frames_;
  struct OutputPort {
    int first_slot;
    Port port;
    bool assigned;
  };
  std::vector<OutputPort> outputs_;
  ProgramData data_;
  std::vector<NodeRef> source_parameters_;
  std::map<std::tuple<const void*, int, int>, NodeRef> found_;
};

}  // namespace tutti::detail
