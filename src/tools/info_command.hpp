// `tutti info`: prints the version, devices and cache, and with --measure the peaks of the device.
#pragma once

namespace tutti::tools {

// Takes the arguments after the word "info". Returns 0, or 2 for arguments other than --measure.
int info_command(int argc, char** argv);

}  // namespace tutti::tools
