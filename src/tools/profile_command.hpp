// `tutti profile`: runs a program with a timeline and reports where its time went.
#pragma once

namespace tutti::tools {

// Takes the arguments after the word "profile". Returns the program's exit status, 2 for wrong
// arguments, or 127 if the program cannot be started.
int profile_command(int argc, char** argv);

}  // namespace tutti::tools
