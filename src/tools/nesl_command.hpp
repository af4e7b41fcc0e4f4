// NESL programs on the command line: tutti run, tutti check, tutti explain, and the shell, tutti
// nesl.
#pragma once

namespace tutti::tools {

int run_command(int argc, char** argv);
int check_command(int argc, char** argv);
int explain_command(int argc, char** argv);
int shell_command(int argc, char** argv);

}  // namespace tutti::tools
