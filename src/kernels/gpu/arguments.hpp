// The arguments of the GPU's vector primitives, which the launcher writes and the kernels read:
// numbers and addresses of arrays, 64 bits each. A member whose comment names a type is an address.
#pragma once

namespace tutti::gpu {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;

constexpr int warp_size = 32;
constexpr u32 all_lanes = 0xffffffffu;
constexpr int block_threads = 256;  // the default
constexpr int block_warps = block_threads / warp_size;
constexpr int most_warps = 32;  // of any block
// Elements are read and written in pieces, so that neighbouring threads have neighbouring pieces.
constexpr int piece_size = 4;
constexpr int pieces = 4;  // in flight for each thread
// Blocks that a multiprocessor is to hold, which limits the registers of their threads (measured on
// an H200).
constexpr int scan_resident = 3, reduce_resident = 6, reduce_light_resident = 8, sort_resident = 3,
              sort_pairs_resident = 2;

// ---- scan.hpp

constexpr int group_size = pieces * piece_size;
constexpr i64 tile_size = 4096;
// A thread computes one group. Shared memory has room for 32 KiB of elements.
constexpr int scan_threads(int element_bytes) { return element_bytes == 8 ? 256 : 512; }
constexpr i64 scan_block(int element_bytes) { return group_size * scan_threads(element_bytes); }
constexpr i64 state_words(int element_bytes) { return element_bytes == 8 ? 2 : 1; }

struct ScanArguments {
  i64 elements;  // their number
  i64 out;       // U; 0: only the consumer needs the results
  i64 states;    // u64, state_words for each tile; zeros
  i64 exclusive;
  i64 offsets, offset_count, wide_offsets;  // segmented, or:
  i64 row;                                  // segmented without offsets: the length of segments
};

// ---- pack.hpp, count_look_back.hpp

// Two tiles of a block are in shared memory, which has room for 48 KiB.
constexpr int pack_threads(int element_bytes) { return element_bytes == 8 ? 160 : 352; }
constexpr i64 pack_tile(int element_bytes) { return group_size * pack_threads(element_bytes); }
constexpr int pack_resident(int element_bytes) { return element_bytes == 8 ? 5 : 3; }
constexpr i64 count_groups(i64 tiles) { return (tiles + warp_size - 1) / warp_size; }
constexpr i64 count_state_bytes(i64 tiles) { return 8 + 16 * count_groups(tiles) + 4 * tiles; }

struct PackArguments {
  i64 elements;  // the number of flags and values
  i64 values;    // V, if they are in memory
  i64 out;       // V
  i64 count;     // the capacity of `out`
  i64 found;     // u64, the number found; 0: not requested, the rest of `out` becomes zeros
  i64 states;    // count_state_bytes of zeros
};

// ---- reduce.hpp, long_segments.hpp, segment_map.hpp

constexpr i64 wide_lanes = 256;
constexpr i64 wide_tile = 8192;
constexpr int kept_lanes = 16;         // of the tree, by each of the threads of a segment
constexpr i64 staged_elements = 4096;  // of a block, in shared memory
// Longer segments are reduced by separate blocks.
constexpr i64 longest_staged = 2048;
// Elements in which the segments of a block begin; the last of them must fit, too. (Small windows
// balance the work: sparse products with 10^6 rows of a power law take 0.120 ms, 0.123 with 3072.
// Large ones cost less if there are many: 10^7 segments of 10 take 0.131 ms with 4084, 0.164 with
// 2048. H200.)
constexpr i64 small_window = staged_elements - longest_staged;
constexpr i64 large_window(i64 longest) {
  return staged_elements - (longest + piece_size - 1) / piece_size * piece_size;
}
// Blocks of reduce_by_8, reduce_by_16 and reduce_by_32. (Small blocks are replaced one by one:
// 0.107 ms for 10^8 floats in segments with lengths of a power law, 0.112 with 256 threads.)
constexpr int group_threads = 64;
constexpr int group_warps = group_threads / warp_size;

struct SegmentWindow {
  i64 segment;     // the first that begins in the window or after it
  i64 begin, end;  // the elements of the segments that begin in it, without a long one
};

struct LongTile {
  i64 segment;
  i64 first;  // the number of the segment's first tile
};
// Returns the greatest number of tiles of all long segments.
constexpr i64 most_long_tiles(i64 elements) {
  return elements / longest_staged + elements / wide_tile;
}

struct SegmentMapArguments {
  i64 offsets, offset_count, wide_offsets;
  i64 elements;
  i64 state;       // u64, two zeros
  i64 window;      // elements of a window
  i64 windows;     // SegmentWindow for each window, and one more
  i64 long_count;  // u64, the number of tiles of long segments
  i64 long_tiles;  // LongTile for each
};

struct ReduceArguments {
  i64 elements;
  i64 offsets, offset_count, wide_offsets;
  i64 out;                     // U, one for each segment
  i64 threads;                 // reduce_staged: of a segment, a power of two up to 16
  i64 segments;                // grouped reductions: of a warp, up to 32
  i64 windows;                 // of the map; 0: all elements are one window
  i64 long_blocks;             // the first blocks, which reduce the tiles of long segments
  i64 long_count, long_tiles;  // of the map
  i64 finished;                // u32: tiles of a segment, at the index of its first one; zeros
  i64 totals;                  // u64, of the tiles
};

// ---- sort.hpp

constexpr int digits = 256;
constexpr int sort_threads = 512;
// Shared memory has room for 32 KiB of keys or values.
constexpr int sort_items(int widest_bytes) { return widest_bytes == 8 ? 8 : 16; }
constexpr i64 sort_tile(int widest_bytes) { return sort_threads * sort_items(widest_bytes); }
// Counts of this many elements fit into 32 bits together with the state.
constexpr i64 most_narrow_elements = i64{1} << 30;

enum KeyKind : i64 { unsigned_key, signed_key, floating_key };

struct SortArguments {
  i64 elements;
  i64 keys, key_target;      // U
  i64 values, value_target;  // V; values 0: positions
  i64 byte;                  // of the key, in this pass
  i64 counts;                // u64, 256 for each byte; after sort_starts: the start of each digit
  i64 states;                // Word, 256 for each tile; zeros
};

// ---- top_k.hpp

// What is known of the last chosen element after some passes.
struct TopKState {
  u64 key, index;  // its first bytes; the others are 0
  u64 passes;      // the number of known bytes
  u64 before;      // elements that precede all those that begin with these bytes
  u64 complete;    // whether all elements that begin with these bytes are chosen
  u64 blocks;      // that have finished the current pass
  u64 chosen;      // the number of indices written
};

struct TopKArguments {
  i64 elements;
  i64 count;        // of chosen elements, at least one
  i64 keys;         // U
  i64 index_bytes;  // of the greatest index
  i64 state;        // TopKState; zeros at first
  i64 counts;       // u64, 256 for each pass; zeros at first
  i64 out;          // i32 or i64: the indices of the chosen elements, in any order
  i64 wide_out;
};

// ---- product.hpp

// A block of 16 x 16 threads computes a square of the result. A thread computes this many points
// along each side, as many as its registers hold.
constexpr int product_across = 16;
static_assert(product_across * product_across == block_threads);
constexpr int product_points(int element_bytes) { return element_bytes == 8 ? 4 : 8; }
constexpr int product_side(int element_bytes) {
  return product_across * product_points(element_bytes);
}
// Returns the part of the inner axis in shared memory: one piece of each matrix for each thread.
constexpr int product_strip(int element_bytes) {
  return block_threads * piece_size / product_side(element_bytes);
}
constexpr int product_chain = 256;  // products that are added sequentially

struct ProductArguments {
  i64 a, b, out;
  i64 rows, columns, inner;
  i64 a_transposed, b_transposed;
};

// ---- indices.hpp

struct FillArguments {
  i64 words;  // the number of u32
  i64 out;
  i64 value;
};

struct CopyArguments {
  i64 bytes, from, out;
};

struct GatherArguments {
  i64 count, from, indices, wide_indices, out;
};

struct JoinArguments {
  i64 count;    // of elements
  i64 from[4];  // U, for each part
  i64 out;
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
  i64 out;  // element_segments: i32; check_offsets: two i64, updated by minimum: the first wrong
            // index, and the negated length of the longest segment
};

struct SearchArguments {
  i64 count, queries, sorted, elements, out, wide_out, right_side;
};

constexpr int most_axes = 8;

struct ScatterArguments {
  i64 count, targets;  // values; elements of base
  i64 rank, wide_indices;
  i64 extents[most_axes], indices[most_axes];
  i64 values, out;
  i64 winners;  // i64, for each index the number of the value that is stored there; zeros
  i64 first;    // whether the first of several values wins, else the last
  i64 keys;     // u64, the index of each value; if it is outside, one after the last
};

// Values stored in a section of an array. Value i is stored at the element given by its coordinates
// within `extents` (row-major) and the strides.
struct SectionArguments {
  i64 count, rank;
  i64 extents[most_axes], strides[most_axes];  // strides in elements
  i64 first;                                   // the element of value 0
  i64 out;
};

}  // namespace tutti::gpu
