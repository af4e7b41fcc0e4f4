// The settings as every layer reads them: single values, without a lock and without copies.
#pragma once
#include <atomic>

#include "tutti/runtime.hpp"

namespace tutti {

struct LiveSettings {
#define TUTTI_NUMBER(variable, member, least, greatest, meaning) \
  std::atomic<decltype(Settings::member)> member;
#define TUTTI_SWITCH(variable, member, meaning) std::atomic<bool> member;
#include "core/settings/settings.def"
};

const LiveSettings& live_settings();

// Returns TUTTI_SIMD_BITS as read at the start, so that an invalid value is reported on machines
// with a GPU too.
int simd_bits();

}  // namespace tutti
