// `tutti profile`: runs a program with a timeline and shows where its time went.
#pragma once

namespace tutti::tools {

// The arguments after the word "profile". Returns what the program returned, 2 for wrong arguments,
// 127 if the program cannot be started.
int profile_command(int argc, char** argv);

}  // namespace tutti::tools
