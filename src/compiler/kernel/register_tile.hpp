// The computation of one thread of a tiled kernel: a register tile of a few rows and columns, in
// which values that its points share occur once. Offsets are relative to the first point of the
// tile, and boundary rules are the identity. A value is computed, or shuffled from a neighbour in
// the warp: the same value, some register tiles to the side.
#pragma once
#include <array>
#include <limits>
#include <unordered_map>
#include <vector>

#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

struct TileValue {
  int instruction = -1;     // the instruction of the kernel that computes it
  int row = 0, column = 0;  // loads and coordinates: position
  std::array<int, 3> operands{-1, -1, -1};
  bool by_row = false, by_column = false;  // depends on the coordinate
  int last_row = 0;                        // the lowest row that it is computed from
  double cost = 0;                         // including its inputs

  enum class Way : uint8_t { unused, compute, neighbour };
  Way way = Way::unused;
  int from = -1;  // neighbour: the value there
  int lanes = 0;  // neighbour: its distance in threads to the right
};

class RegisterTile {
 public:
  // Covers the values of the instructions `results`. Loads of the kernel advance by one element
  // along rows and columns. columns == 0 means a single column near the border, where boundary
  // rules apply along rows.
  RegisterTile(const Kernel& kernel, const std::vector<int>& results, int rows, int columns);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  // Returns whether coordinates on an axis of the domain are offsets within the register tile.
  bool holds(int dim) const {
    return dim >= 0 && (dim == kernel_.inner() - 1 || (dim == kernel_.inner() && has_columns_));
  }

  const std::vector<TileValue>& values() const { return values_; }
  size_t results() const { return results_.size(); }
  // Returns the values of a result, row by row.
  const std::vector<int>& result(size_t r) const { return results_[r]; }
  // Returns the computed values, in an order that needs few registers.
  const std::vector<int>& schedule() const { return schedule_; }

  int halo_left() const { return halo_left_; }  // threads at the left end of a warp without result
  int halo_right() const { return halo_right_; }
  double cost() const;
  int registers() const { return registers_; }  // an estimate of the most in use at once

 private:
  // Leftmost and rightmost column loaded. Loads that move in a loop count if there are no others.
  struct Span {
    static constexpr int none = std::numeric_limits<int>::max();
    int left = none, right = -none;
    bool moves = true;
    void add(const Span& other);
  };
  using Key = std::vector<int>;
  struct KeyHash {
    size_t operator()(const Key& key) const {
      size_t hash = key.size();
      for (int word : key) hash = (hash ^ static_cast<size_t>(word)) * 0x9e3779b97f4a7c15u;
      return hash ^ hash >> 32;
    }
  };
  int at(int instruction, int row, int column);
  int intern(Key key, TileValue value);
  int find(const Key& key) const;
  Key key_of(const TileValue& value) const;
  bool moves(const Instruction& in) const;
  int shifted(int value, int rows, int columns) const;
  bool fetch(int value);
  void resolve(int value);
  void order();
  std::vector<int> in_order(const std::vector<int>& wanted) const;
  int most_alive(const std::vector<int>& schedule) const;
  void measure();

  const Kernel& kernel_;
  const int rows_, columns_;
  const bool has_columns_;
  std::unordered_map<Key, int, KeyHash> table_;
  std::vector<int> memo_;  // by point and instruction: the value, or -1
  std::vector<TileValue> values_;
  std::vector<Span> span_;
  std::vector<std::vector<int>> results_;
  std::vector<int> schedule_;
  int halo_left_ = 0, halo_right_ = 0, registers_ = 0;
};

// The parts of a kernel as register tiles: one, or for a kernel with a loop the code before it, a
// step, and the code after it.
class TileParts {
 public:
  TileParts(const Kernel& kernel, int rows, int columns);

  const std::vector<RegisterTile>& parts() const { return parts_; }
  int halo_left() const { return most(&RegisterTile::halo_left); }
  int halo_right() const { return most(&RegisterTile::halo_right); }
  int registers() const { return most(&RegisterTile::registers); }
  double cost() const;          // of everything that is executed
  double instructions() const;  // of the code

 private:
  int most(int (RegisterTile::*what)() const) const;  // of all parts

  std::vector<RegisterTile> parts_;
  double steps_ = 0, copies_ = 0;  // of a loop; copies of the code of a step
};

// Returns the rows of one column that a thread computes left and right of the tiles, for a kernel
// with a loop. Returns 0 if a thread computes one point there, as above and below the tiles.
int side_rows(const Kernel& kernel, int tile_rows);

// Returns the steps per iteration of a loop, so that moving loads are again at a multiple of a
// register tile after each iteration.
int steps_a_turn(const Kernel& kernel, int columns);

// Returns whether neighbours in a column are neighbours in memory: the array is read transposed.
bool reads_down(const Kernel& kernel, const Load& load);

// Returns the offset of an index expression from the coordinate on its axis, without boundary
// rules.
int64_t total_offset(const Kernel& kernel, int index);
// Returns the amount that total_offset gains with each step of a loop.
int64_t total_step(const Kernel& kernel, int index);

}  // namespace tutti::compiler
