// A kernel: a loop nest over a domain, with straight-line code of scalar instructions, loads and
// stores for each point. The code generator turns it into machine code. Coordinates of loads are
// expressions over those of the domain. Each depends on at most one axis, so all but the innermost
// are computed once a row.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/schedule/schedule.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::ir {
struct ScalarProgram;
}

namespace tutti::compiler {

using detail::Extents;

// A coordinate of the domain, or an expression over one that indexes an array.
struct IndexExpr {
  enum class Kind : uint8_t {
    constant,   // offset, or scalar argument `slot` if slot >= 0, which is from low to high
    dim,        // the coordinate on axis `dim` of the domain
    affine,     // scale * source + offset
    clamp,      // source, clamped to [0, extent)
    wrap,       // source modulo extent
    gathered,   // an integer computed by instruction `source`
    quotient,   // source / scale: the row of a joined coordinate, below extent
    remainder,  // source % scale: its position in the row
  };
  Kind kind{};
  int source = -1;
  static constexpr int no_axis = -1, from_data = -2;
  int dim = no_axis;  // the axis of the domain that it depends on, or one of these
  int64_t scale = 1;
  int64_t offset = 0;
  int64_t extent = 0;
  int64_t low = 0, high = 0;  // the values it can take
  int64_t step = 0;           // affine: added to the offset by each step of a Repeat
  int slot = -1;

  // Structure on which the machine code depends, decided by normalise_kernel().
  bool unit = true;   // advances by one when the coordinate on its axis does
  int base = -1;      // affine along the inner axis: the expression whose offset is the argument...
  int64_t delta = 0;  // ...and the fixed distance from it
  bool far_wrap = false;  // wrap: the source may be more than one period outside

  // Whether `source` is another expression.
  bool is_derived() const {
    return kind != Kind::constant && kind != Kind::dim && kind != Kind::gathered;
  }
  bool divides() const { return kind == Kind::quotient || kind == Kind::remainder; }
  bool is_known() const { return kind == Kind::constant && slot < 0; }
  bool is_fixed() const { return dim == no_axis; }       // the same for all points
  bool is_computed() const { return dim == from_data; }  // for each lane
  bool follows_axis() const { return dim >= 0; }
};

struct Instruction {
  enum class Kind : uint8_t {
    constant,  // scalar argument `slot`
    index,     // the coordinate `slot` as an integer of type `type`
    load,      // load `slot`
    op,        // an operation of the table
    cast,      // inputs[0] converted
    inside,    // whether coordinate `slot` is in [0, extent)
    program,   // output `output` of program call `slot`
    carried,   // in a Repeat: value `slot` from the step before
    after,     // after a Repeat: value `slot` from the last step
    previous,  // of a recurrence: output `slot` at the previous point; inputs[0] at the first point
  };
  Kind kind{};
  ElementType type{};
  Op op{};
  int inputs[3] = {-1, -1, -1};
  int slot = -1;
  int output = -1;
  int64_t extent = 0;
};

// A program that runs for each point. Its outputs are instructions that follow all of its
// arguments.
struct ProgramCall {
  struct Table {
    int source;
    Extents shape;
  };
  std::shared_ptr<const ir::ScalarProgram> program;
  std::vector<int> arguments;  // instructions
  std::vector<Table> tables;
};

// The origin of an array: a buffer of the graph, or a value that an earlier step has written.
struct Source {
  bool is_value = false;
  int id = -1;  // leaf slot or value number
  ElementType type{};
  Extents shape;   // without axes of extent 1
  int alike = -1;  // the first source of the kernel with this shape; they share strides
  bool gathered_often = false;  // a leaf that several evaluations read at computed indices
  // An interleaved copy of several leaves (kernel_passes/interleave_tuples.hpp): the number of
  // parts of an element, and the leaves that they come from.
  int parts = 1;
  std::vector<int> members{};
  bool operator==(const Source&) const = default;
};

struct Load {
  int source = -1;
  struct Axis {
    int index;        // IndexExpr
    int source_axis;  // the axis whose stride it is multiplied by
  };
  std::vector<Axis> axes;
  int part = 0;  // of an element, if the source is interleaved
  int step = 0;  // stride between lanes, if it is 2, 3 or 4 elements; else 0
};

struct Output {
  int instruction = -1;
  int value = -1;  // value number
  ElementType type{};
  Reduction reduction{};
};

// A coordinate that never leaves [0, extent) for the current sizes: it has no boundary rule.
struct StaysInside {
  int index;  // IndexExpr
  int64_t extent;
};

enum class Form : uint8_t {
  map,            // every point of the domain is stored
  reduce_wide,    // domain = kept axes, then reduced axes; tiles of ir::wide_tile
  reduce_column,  // domain = kept axes, reduced axes, one kept inner axis; tiles of ir::column_tile
  reduce_segments,  // domain = one axis, reduced in pieces that are arguments; at most a tile each
  // domain = `kept` axes, the axis of the recurrence, more axes, the inner one. Points are computed
  // in order along the axis, and every point is stored.
  recurrence,
};

// A rerolled loop (reroll_loops.hpp) at each point of the domain.
struct Repeat {
  struct Carried {
    int before;  // the instruction that computes the value for the first step
    int next;    // in the code of a step: the one that computes it for the next
  };
  int64_t steps = 0;        // 0: there is no loop
  int first = 0, last = 0;  // the instructions of a step, those of kind `carried` first
  std::vector<Carried> carried;
  std::map<int, std::vector<int>> scalars;  // by instruction: its scalar argument in each step
};

struct Kernel {
  Form form = Form::map;
  Extents domain;
  int kept = 0;           // reductions: the number of leading kept axes; recurrences: the axis
  bool backward = false;  // a recurrence that begins at the end of its axis
  std::vector<Instruction> code;
  std::vector<IndexExpr> indices;
  std::vector<Load> loads;
  std::vector<Source> sources;
  std::vector<Output> outputs;
  std::vector<ProgramCall> programs;
  std::vector<StaysInside> stays_inside;
  std::vector<int> gathered;    // leaves that are read like parts of tuples, at computed indices
  bool streaming = false;       // stores bypass the caches
  bool wide_index = false;      // element offsets need 64 bits
  bool fused = false;           // runs inside of a vector primitive
  schedule::Schedule schedule;  // how it runs; chosen last
  Repeat repeat;

  int inner() const { return domain.rank - 1; }
  // Identifies the machine code: kernels with equal keys share it. Contains no sizes and scalars.
  std::string key() const;
  // Returns whether a kernel that differs from this one only in sizes has the same key.
  bool has_code_of(const Kernel& other) const {
    return streaming == other.streaming && wide_index == other.wide_index &&
           schedule::same_code(schedule, other.schedule);
  }
};

}  // namespace tutti::compiler
