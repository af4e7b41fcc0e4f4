// What one thread of a tiled kernel computes: a register tile of a few rows and columns, with
// everything that its points share written once. Offsets are relative to the first point of the
// register tile, boundary rules are taken for the identity. A value is computed, or a neighbour in
// the warp has it: the same value, some register tiles to the side.
#pragma once
#include <array>
#include <limits>
#include <unordered_map>
#include <vector>

#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

struct TileValue {
  int instruction = -1;     // of the kernel: what it computes
  int row = 0, column = 0;  // loads and coordinates: where
  std::array<int, 3> operands{-1, -1, -1};
  bool by_row = false, by_column = false;  // depends on the coordinate
  int last_row = 0;                        // the lowest row it is computed from
  double cost = 0;                         // of everything below it

  enum class Way : uint8_t { unused, compute, neighbour };
  Way way = Way::unused;
  int from = -1;  // neighbour: the value that it has
  int lanes = 0;  // neighbour: how many threads to the right
};

class RegisterTile {
 public:
  // What some instructions give. Loads of the kernel move one by one along rows and columns. No
  // columns: there is one, near the border, and boundary rules hold along its rows.
  RegisterTile(const Kernel& kernel, const std::vector<int>& results, int rows, int columns);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  // Whether coordinates on an axis of the domain are offsets within the register tile.
  bool holds(int dim) const {
    return dim >= 0 && (dim == kernel_.inner() - 1 || (dim == kernel_.inner() && has_columns_));
  }

  const std::vector<TileValue>& values() const { return values_; }
  size_t results() const { return results_.size(); }
  // The values of a result, row by row.
  const std::vector<int>& result(size_t r) const { return results_[r]; }
  // What is computed, in an order that needs few registers.
  const std::vector<int>& schedule() const { return schedule_; }

  int halo_left() const { return halo_left_; }  // threads at the left end of a warp without result
  int halo_right() const { return halo_right_; }
  double cost() const;
  int registers() const { return registers_; }  // a guess at those in use at once

 private:
  // Leftmost and rightmost column loaded; what moves in a loop counts only if nothing else does.
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

// The parts of a kernel as register tiles: one, or where it has a loop, what is before it, a step,
// and what is behind it.
class TileParts {
 public:
  TileParts(const Kernel& kernel, int rows, int columns);

  const std::vector<RegisterTile>& parts() const { return parts_; }
  int halo_left() const { return most(&RegisterTile::halo_left); }
  int halo_right() const { return most(&RegisterTile::halo_right); }
  int registers() const { return most(&RegisterTile::registers); }
  double cost() const;          // of all that is computed
  double instructions() const;  // of the code

 private:
  int most(int (RegisterTile::*what)() const) const;  // of all parts

  std::vector<RegisterTile> parts_;
  double steps_ = 0, copies_ = 0;  // of a loop; how often the code of a step is there
};

// Left and right of the tiles of a kernel with a loop a thread takes this number of rows of one
// column; 0: one point, as above and below them.
int side_rows(const Kernel& kernel, int tile_rows);

// How many steps of a loop one turn takes, so that what moves along with them is at a multiple of a
// register tile again.
int steps_a_turn(const Kernel& kernel, int columns);

// Whether neighbours in a column are neighbours in memory: the array is read transposed.
bool reads_down(const Kernel& kernel, const Load& load);

// The coordinate that an index expression takes where no rule matters is that of its axis plus
// this.
int64_t total_offset(const Kernel& kernel, int index);
// What that gains with each step of a loop.
int64_t total_step(const Kernel& kernel, int index);

}  // namespace tutti::compiler
