// `tutti doctor`: looks for problems of an installation and prints advice.
#pragma once

namespace tutti::tools {

// Takes the arguments after the word "doctor". Returns 0 if all is well, 1 after a fault, 2 if
// there are any arguments.
int doctor_command(int argc, char** argv);

}  // namespace tutti::tools
