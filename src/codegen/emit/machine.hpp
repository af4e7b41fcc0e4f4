// What emitted code depends on besides the kernel.
#pragma once

namespace tutti::codegen {

// Properties of the target that emitted code depends on. A GPU thread computes a few lanes: as many
// as one wide access loads, or one.
struct Machine {
  int vector_bits = 128;
  int lanes = 0;          // if not 0: the number of lanes, whatever vector_bits says
  bool gathers = false;   // has instructions that load each lane from its own address
  bool masks = false;     // loads and stores under a mask cost no more than others
  bool permutes = false;  // has instructions that permute the lanes of vectors of 512 bits
  bool once = false;      // of a GPU: sequential reads should not stay in the caches
};

}  // namespace tutti::codegen
