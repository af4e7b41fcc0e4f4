// Writes the file of a trace: takes recorded events ten times a second and writes them in the
// Chrome trace format, which Perfetto and chrome://tracing open. After every write the file is a
// complete JSON array, so the process may end at any time. One trace is recorded at a time.
#pragma once
#include <string>

#include "tutti/detail/export.hpp"

namespace tutti::timeline {

// Starts recording to a file. Returns the problem, or an empty string on success.
TUTTI_EXPORT std::string start(const std::string& path);
// Writes the remaining events and ends the recording.
TUTTI_EXPORT void stop();
// Writes the events recorded so far.
TUTTI_EXPORT void flush();
TUTTI_EXPORT std::string current_file();  // empty: nothing is recorded

}  // namespace tutti::timeline
