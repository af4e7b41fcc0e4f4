// Other opinions about this CPU: targets whose costs or caches differ from those of this_cpu(), so
// that plans for them take other decisions. Which plan is fastest is found by running them
// (engine/tuning.hpp). Results do not depend on it.
#pragma once
#include <span>

#include "target/target.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::target {

// The first is this_cpu(). Names are stable: they are kept on disk.
TUTTI_EXPORT std::span<const Target> cpu_variants();

}  // namespace tutti::target
