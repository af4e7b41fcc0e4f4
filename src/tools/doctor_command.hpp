// `tutti doctor`: looks for what can be wrong with an installation and says what to do about it.
#pragma once

namespace tutti::tools {

// The arguments after the word "doctor". Returns 0 if all is well, 1 after a fault, 2 if there are
// any arguments.
int doctor_command(int argc, char** argv);

}  // namespace tutti::tools
