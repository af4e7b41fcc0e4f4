// State of an Array variable besides its elements: how it is read between and beyond its elements,
// and the cell that it shares with programs that read it.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "tutti/detail/capture.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// The value of array(x) between elements.
enum class Interpolation : uint8_t { nearest, linear };

namespace detail {

struct ArrayModes {
  Boundary boundary = Boundary::clamp();
  Interpolation interpolation = Interpolation::nearest;
};

// The cell of a variable. Programs read the elements that the variable has when they run.
struct ArrayState {
  ArrayModes modes;
  bool shared = false;         // with a program
  std::vector<NodeRef> nodes;  // if shared: the elements
  int64_t capture = 0;         // the program that was being captured when the variable was made
};

// Throws because a program assigns to an array from outside.
[[noreturn]] void refuse_assignment(const NodeRef& assigned);

// A variable's optional state; most arrays have none. Modes are copied with an array and stay when
// it is assigned to; the cell belongs to the variable.
class ArrayLink {
 public:
  ArrayLink() { note_capture(); }
  ArrayLink(const ArrayLink& other) {
    if (other.state_) edit().modes = other.state_->modes;
    note_capture();
  }
  ArrayLink& operator=(const ArrayLink&) { return *this; }

  const ArrayModes& modes() const {
    static const ArrayModes usual;
    return state_ ? state_->modes : usual;
  }
  ArrayState& edit() const {
    if (!state_) state_ = std::make_shared<ArrayState>();
    return *state_;
  }
  const std::shared_ptr<ArrayState>& cell(std::span<const NodeRef> nodes) const {
    ArrayState& state = edit();
    state.shared = true;
    state.nodes.assign(nodes.begin(), nodes.end());
    return state_;
  }
  // Notes that the variable has been assigned these elements.
  void publish(std::span<const NodeRef> nodes) {
    if (capturing() && !(state_ && state_->capture == current_capture()))
      refuse_assignment(nodes[0]);
    if (state_ && state_->shared) state_->nodes.assign(nodes.begin(), nodes.end());
  }

 private:
  void note_capture() {
    if (capturing()) edit().capture = current_capture();
  }
  mutable std::shared_ptr<ArrayState> state_;
};

using ArrayCell = std::shared_ptr<ArrayState>;

// Record, in the program being captured, an element of one component of an array, an extent, and
// whether it interpolates. Modes are those that the array has when the program runs.
NodeRef record_element(const ArrayCell& array, int component, std::span<const NodeRef> index,
                       const Boundary& boundary, const Location& where);
NodeRef record_extent(const ArrayCell& array, int axis);
NodeRef record_interpolates(const ArrayCell& array);

}  // namespace detail
}  // namespace tutti
TUTTI_END_EXPORTS
