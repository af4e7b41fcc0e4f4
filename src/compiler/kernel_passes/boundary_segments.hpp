// Splits the inner axis where boundary rules start or cease to apply. Inside a fast segment every
// rule is the identity up to a fixed shift, so whole vectors are loaded. In slow segments each lane
// applies the rules to its own coordinates.
#pragma once
#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

// The boundary rules along the inner axis. Only wraps have a shift for each segment.
struct InnerRules {
  std::vector<int> wraps;    // IndexExprs
  std::vector<int> clamps;   // IndexExprs
  std::vector<int> insides;  // instructions
  bool any() const { return !wraps.empty() || !clamps.empty() || !insides.empty(); }
};
InnerRules inner_rules(const Kernel& kernel);

// Returns segments as the machine code reads them: begin, end, a code, then a shift for each wrap.
// The code is 0 for a slow segment, 1 for a fast one, 2 for a fast one before a slow one. The first
// begins at 0, each other one where its predecessor ends.
constexpr int segment_header = 3;
constexpr int64_t fast_before_slow = 2;
std::vector<int64_t> make_segments(const Kernel& kernel, const InnerRules& rules);

}  // namespace tutti::compiler
