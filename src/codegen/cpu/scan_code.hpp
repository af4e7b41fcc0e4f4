// The tiles of a scan on a CPU: the tree of numerics/scan_tree.hpp within one tile, in vectors
// of 16. The code is void kernel(const int64_t* words, phase, chunks, 0, 0) on `chunks` whole
// chunks of a tile; `words` are pointers. Phases:
//   start    scans the elements within groups; writes `local`, the prefixes of groups within their
//            chunk and of chunks within the tile, and the total
//   finish   writes the results, given the prefix of the tile
//   advance  adds the total to the prefix of the tile
#pragma once
#include <string>

#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::codegen {

struct ScanKernel {
  ElementType type{};
  Reduction reduction{};
  bool segmented = false, exclusive = false;
};

enum ScanPhase : int64_t { scan_start, scan_finish, scan_advance };

// A flag belongs to the value before it: whether a segment begins in the elements of that value.
enum ScanWord {
  scan_elements,      // T
  scan_heads,         // uint16, a bit for each element, one for each group
  scan_local,         // T, may be the elements
  scan_before_group,  // T, within the chunk
  scan_group_flags,   // uint32, a bit for each group, one for each chunk
  scan_before_chunk,  // T, within the tile
  scan_chunk_flags,   // uint8
  scan_total,         // T
  scan_total_flag,    // uint8
  scan_before,        // T, the prefix of the tile
  scan_out,           // T
  scan_words
};

// Returns an object file for codegen::link().
TUTTI_EXPORT std::string compile_scan(const ScanKernel& scan);

}  // namespace tutti::codegen
