// How a kernel is spread over the threads of a GPU. Decided from the structure of the kernel alone,
// so that the code generator and the launcher agree.
#pragma once
#include "ir/reduction_tree.hpp"
#include "passes/kernel.hpp"

namespace tutti::codegen {

// Tuning constants, measured on an H200 (see docs/performance.md).
struct GpuTuning {
  int linear_threads = 256;   // of a block that walks elements in order
  int linear_accesses = 4;    // wide ones in flight a thread
  size_t long_body = 100;     // instructions, beyond which one access is enough,
  size_t longest_body = 200;  // and one element
  int wide_bytes = 16;        // of one access
  int tile_columns = 64;      // of a block over rows and columns
  int tile_rows = 4;
  int warp_columns = 8;  // of a warp that is a block of rows and columns
  int warp_rows = 4;
  int stencil_threads = 128;    // of a block of patches
  int stencil_registers = 168;  // of one of its threads: three blocks on a multiprocessor
  size_t long_reduction = 500;  // instructions: rows of a block of an image that are written out
  int reduce_warps = 8;         // of a block; each warp reduces a tile
};
constexpr GpuTuning gpu_tuning{};
constexpr int product_tile = 16;  // threads of a block along rows and along columns of a product

// Arguments that a launch takes by value: 4 KB, on every driver.
constexpr int most_parameter_words = 500;

// Stored kernels of another layout do not fit the launches of this one: to be changed with it.
constexpr int gpu_layout = 5;

struct GpuShape {
  bool linear = false;   // elements in order, several a thread, in wide accesses
  int lanes = 1;         // elements of one access
  int unroll = 1;        // linear maps: so many of them a thread
  bool blocks = false;   // each warp of a map is a block of rows and columns, not part of a row
  bool one_row = false;  // a map over a vector
  // Of a block of threads over rows and columns.
  int columns() const {
    if (one_row) return gpu_tuning.tile_columns * gpu_tuning.tile_rows;
    return blocks ? 4 * gpu_tuning.warp_columns : gpu_tuning.tile_columns;
  }
  int rows() const {
    if (one_row) return 1;
    return blocks ? 2 * gpu_tuning.warp_rows : gpu_tuning.tile_rows;
  }
};

GpuShape gpu_shape(const passes::Kernel& kernel);

// What is known of the address of a load of `lanes` neighbours, the first of which is at a multiple
// of so many: a number of bytes that it is a multiple of. The only source of this knowledge for
// wide accesses. Arrays begin at multiples of 32 bytes at least (see runtime/cuda/unaligned.hpp).
int alignment_of(const passes::Kernel& kernel, const passes::Load& load, int lanes);

// How many neighbours are computed together for a primitive, which asks for four of them. What a
// kernel reads at computed places is read one by one, but the places in wide accesses. (A sparse
// product with rows of a power law: 0.120 ms, 0.125 element by element. H200.)
int lanes_of_pieces(const passes::Kernel& kernel);
// Whether it reads any at all: then the caches are worth more to those. (The same product: 0.1187
// instead of 0.1208 ms.)
bool reads_computed_places(const passes::Kernel& kernel);

}  // namespace tutti::codegen
