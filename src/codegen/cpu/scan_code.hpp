// The tiles of a scan on a CPU: the tree of numerics/scan_tree.hpp within one tile, in vectors
// of 16. The code is void kernel(const int64_t* words, phase, chunks, 0, 0) on `chunks` whole
// chunks of a tile; `words` are pointers. Phases:
//   start    scans the elements by themselves, leaves `local`, what comes before its groups and
//            chunks within the tile, and the total
//   finish   writes the results, given what comes before the tile
//   advance  adds the total to what comes before the tile
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

// Flags say whether a segment begins in what they belong to.
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
  scan_before,        // T, all before the tile
  scan_out,           // T
  scan_words
};

// An object file for codegen::link().
TUTTI_EXPORT std::string compile_scan(const ScanKernel& scan);

}  // namespace tutti::codegen
