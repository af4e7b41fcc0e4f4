// The arguments of the GPU's vector primitives, as the launcher writes and the kernels read them:
// numbers and addresses of arrays, 64 bits each. Where a comment names a type, it is an address.
#pragma once

namespace tutti::gpu {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;

constexpr int warp_size = 32;
constexpr int block_threads = 256;  // of every kernel here
constexpr int block_warps = block_threads / warp_size;
constexpr u32 all_lanes = 0xffffffffu;

// ---- scan.hpp

constexpr int group_size = 16;
constexpr i64 tile_size = group_size * block_threads;

struct ScanArguments {
  i64 elements;  // how many
  i64 out;       // U
  i64 ticket;    // u32, 0: the next tile
  i64 states;    // for each tile: u64 if U has up to 4 bytes, else u32; zeros
  i64 sums;      // U has 8 bytes: two for each tile, its total and the sum up to it
  i64 exclusive;
  i64 offsets, offset_count, wide_offsets;  // segmented, or:
  i64 row;                                  // segmented without offsets: their length
};

struct PackArguments {
  ScanArguments scan;  // of the flags; `out` is where the values go
  i64 values;          // V
  i64 count;           // how many there is room for
};

// ---- reduce.hpp

constexpr i64 wide_lanes = 256;
constexpr i64 wide_tile = 8192;

struct ReduceArguments {
  i64 offsets, offset_count, wide_offsets;
  i64 out;           // U, one for each segment
  i64 threads;       // short: of a segment, a power of two up to 16
  i64 middle_count;  // u64: how many segments are left to the middle kernel; 0 at first
  i64 middle_list;   // i64, the segments
  i64 long_count;    // u64: segments left to the long kernels << 40 | their tiles; 0 at first
  i64 long_list;     // i64, two for each: the segment, its first tile
  i64 totals;        // U, of the tiles
  i64 all_middle;    // the middle kernel takes all segments, not those of the list
};

// ---- sort.hpp

constexpr int digits = 256;
constexpr int items_a_thread = 16;
constexpr i64 sort_tile = items_a_thread * block_threads;

enum KeyKind : i64 { unsigned_key, signed_key, floating_key };

struct SortArguments {
  i64 elements;
  i64 keys, key_target;      // U
  i64 values, value_target;  // V; values 0: positions
  i64 kind, descending;
  i64 byte;    // of the key, in this pass
  i64 counts;  // u64, 256 for each byte; after sort_starts: where each digit begins
  i64 ticket;  // u32, 0
  i64 states;  // u64, 256 for each tile; zeros
};

// ---- places.hpp

struct FillArguments {
  i64 words;  // u32, how many
  i64 out;
  i64 value;
};

struct CopyArguments {
  i64 bytes, from, out;
};

struct GatherArguments {
  i64 count, from, places, wide_places, out;
};

struct NarrowArguments {
  i64 count;
  i64 from;  // u64
  i64 out;   // i32, or u64
  i64 wide_out;
};

struct SegmentArguments {
  i64 offsets, offset_count, wide_offsets;
  i64 elements;
  i64 out;  // element_segments: i32; check_offsets: i64, the first that is wrong, if it is less
};

struct SearchArguments {
  i64 count, queries, sorted, elements, out, wide_out, kind, right_side;
};

constexpr int most_axes = 8;

struct ScatterArguments {
  i64 count, places;  // values; elements of base
  i64 rank, wide_indices;
  i64 extents[most_axes], indices[most_axes];
  i64 values, out;
  i64 winners;  // i64, for each place the number of the value that goes there; zeros
  i64 first;    // the first of several wins, else the last
  i64 keys;     // u64, the place of each value; for none, one after the last
};

}  // namespace tutti::gpu
