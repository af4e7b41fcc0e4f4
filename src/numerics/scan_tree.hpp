// The fixed shape of scans, part of the numerical contract: how elements are grouped depends on
// their positions alone, never on threads or devices.
//
// Elements are cut into tiles of 4096, a tile into 8 chunks, a chunk into 32 groups of 16. With (+)
// for the combining operation:
//   within a group     for d = 1, 2, 4, 8: x[i] = x[i - d] (+) x[i], all i >= d at once
//   within a chunk     the totals of the groups in the same way, for d = 1, 2, 4, 8, 16
//   chunks and tiles   from left to right, starting from the neutral element
//   an element         ((tiles before (+) chunks before) (+) groups before) (+) its place in its
//                      group
// Segments are folded in by the usual pairs of a head flag f and a value v:
//   (f, v) (+) (g, w) = (f or g, g ? w : v (+) w)
// The rows of a matrix are segments of its elements in row-major order.
//
// (16 lanes fit the widest SIMD registers and the items of one GPU thread, 32 the threads of a
// warp. Because tiles run from left to right, a tile can start from any known prefix of an earlier
// tile.)
#pragma once
#include <cstdint>

namespace tutti::ir {

constexpr int64_t scan_group = 16;
constexpr int64_t scan_chunk_groups = 32;
constexpr int64_t scan_chunk = scan_group * scan_chunk_groups;
constexpr int64_t scan_tile = 4096;

}  // namespace tutti::ir
