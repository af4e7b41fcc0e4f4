// Faults on demand: the n-th allocation, file operation, thread start or driver call fails. The
// functions that can fail are replaced by those of this executable, which count and pass on, for
// the library, for LLVM in it and for the C++ library alike.
#pragma once
#include <cstdint>
#include <vector>

namespace tutti::test {

enum class Fault : uint8_t { memory, file, thread, driver };
constexpr int fault_kinds = 4;
const char* name_of(Fault kind);

// One point fails, or all from that point on until stop_faults().
enum class Repeat : uint8_t { once, from_then_on };

// False under a sanitizer, which replaces the same functions.
bool can_inject();

// Counts points from 0 on, and lets none or some of one kind fail.
void count_points();
void fail_at(Fault kind, int64_t point, Repeat repeat);
void stop_faults();

// Counts allocations and notes the call stack of each. Two allocations are alike if their innermost
// calls are; gives the first point of each kind, in order.
void count_call_stacks();
std::vector<int64_t> first_points_of_call_stacks();

int64_t points_of(Fault kind);  // since counting began
bool has_failed();              // a point of the last run did fail

// What is allocated and not freed.
int64_t live_blocks();

}  // namespace tutti::test
