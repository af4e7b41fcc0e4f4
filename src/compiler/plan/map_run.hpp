// Consecutive map kernels of a plan over the same rows and columns, and what they read of each
// other: what chains are made of. In: the steps of a plan. Out: the longest run from a step on, and
// whether a part of it can run row block by row block.
#pragma once
#include <cstdint>
#include <vector>

#include "compiler/plan/joined_rows.hpp"
#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

class MapRun {
 public:
  // Of the images that the kernels compute.
  struct Domain {
    int64_t rows = 0, columns = 0;
  };

  MapRun(const std::vector<Step>& steps, const std::vector<PlanValue>& values);

  // Returns the end of the run of consecutive map kernels over the same rows and columns. A
  // one-dimensional kernel iterates over them in order, and a kernel over planes does so in each
  // plane. Kernels over one long line are a run, too: its tiles are what row blocks are to an
  // image.
  size_t longest_run(size_t begin);
  const Domain& domain() const { return domain_; }
  bool is_line() const { return line_; }  // the run is over one line of elements

  const Kernel* map_kernel(size_t i) const;  // of a step; null if it is none
  // Returns whether a kernel iterates over rows and columns as one axis. Requires a run over them.
  bool joined(const Kernel& kernel) const {
    return joins_rows(kernel, domain_.rows, domain_.columns);
  }
  // Returns how many planes a kernel computes, each of as many points as the image has.
  int64_t planes_of(const Kernel& kernel) const {
    return kernel.domain.rank == 2 && domain_.columns && joined(kernel) ? kernel.domain[0] : 1;
  }

  // A load from a value of a map kernel.
  struct Read {
    const Load* load;
    int value;
    bool row_is_known;  // its first coordinate advances with the rows
    bool at_own_row;
    bool is_first;  // of those at this row
  };
  const std::vector<Read>& reads(size_t step) const { return reads_[step]; }
  bool made_within(int value, size_t begin, size_t end) const {
    const size_t maker = maker_[static_cast<size_t>(value)];
    return begin <= maker && maker < end;
  }
  // Returns whether a value is not needed after the run: it is stored only in row blocks.
  bool is_internal(int value, size_t begin, size_t end) const;

  // Decides whether steps [begin, end) can run row block by row block. They must read each other's
  // values by rows, and must not read a value that outlives the run at rows of another row block.
  bool fits_row_blocks(size_t begin, size_t end) const;

 private:
  void note_makers();
  // Returns one read for all loads of the same elements: stencils have many, and chains of all
  // lengths are tried.
  std::vector<Read> reads_of(const Kernel& kernel) const;
  // Returns whether a program reads a value of an earlier step of the run at computed indices.
  bool reads_anywhere(const Kernel& kernel, size_t begin, size_t end) const;
  // Planes are results: row blocks have no memory for them.
  bool keeps_planes(const Kernel& kernel, size_t begin, size_t end) const;
  // A value that outlives the run has only the columns of a tile while the tile is computed.
  bool reads_along_line(const Kernel& kernel, const Load& load, const Source& source,
                        bool internal) const;

  const std::vector<Step>& steps_;
  const std::vector<PlanValue>& values_;
  std::vector<size_t> maker_;             // by value: the map kernel that computes it
  std::vector<std::vector<Read>> reads_;  // by step
  Domain domain_;
  bool line_ = false;
};

}  // namespace tutti::compiler
