#include "nesl/eval/precision.hpp"

#include <atomic>

namespace tutti::nesl {
namespace {

std::atomic<Precision> chosen = Precision::full;

}  // namespace

void set_precision(Precision precision) { chosen = precision; }
Precision precision() { return chosen; }

}  // namespace tutti::nesl
