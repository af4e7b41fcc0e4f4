// The only file that reads settings from the environment. Programs that run with more privileges
// than their user (setuid) see no variables. Invalid values are reported once and ignored, and so
// are TUTTI_ names that no setting has.
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

// Reads an integer with an optional suffix K, M or G. Returns nothing if the variable is not set,
// or is invalid and has been reported.
std::optional<int64_t> number_from_environment(const char* name, int64_t least, int64_t greatest);

// Prints on stderr what is wrong with a variable; text from outside is escaped.
void report_variable(const std::string& name, const std::string& value, const std::string& why);
// Prints one line for each TUTTI_ name that is not in settings.def, with the nearest name that is.
// Names that begin with TUTTI_TEST_ or TUTTI_NESL_ belong to the tests.
void report_unknown_variables();

}  // namespace tutti
