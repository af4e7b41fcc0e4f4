// The only file that reads the environment. Programs that run with more rights than their user
// (setuid) see no variables. Values that cannot be used are reported once and ignored, and so are
// TUTTI_ names that no setting has.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "tutti/detail/export.hpp"

namespace tutti {

struct Settings;
TUTTI_EXPORT Settings settings_from_environment();

TUTTI_EXPORT const char* variable(const char* name);  // null: not set, or empty

// TUTTI_SIMD_BITS: 128, 256 or 512; 0: the machine decides.
TUTTI_EXPORT int simd_bits_from_environment();

// A whole number with an optional suffix K, M or G. None: the variable is not set, or has been
// reported because it cannot be used.
std::optional<int64_t> number_from_environment(const char* name, int64_t least, int64_t greatest);

// Prints what is wrong with a variable on stderr; text from outside is escaped.
void report_variable(const std::string& name, const std::string& value, const std::string& why);
// Prints one line for each TUTTI_ name that is not in settings.def, with the nearest name that is.
// Names that begin with TUTTI_TEST_ or TUTTI_NESL_ belong to the tests.
void report_unknown_variables();

}  // namespace tutti
