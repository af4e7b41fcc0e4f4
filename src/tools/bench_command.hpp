// `tutti bench`: times Tutti against hand-written baselines.
#pragma once

namespace tutti::tools {

// The arguments after the word "bench". Returns 0; 1 if a benchmark failed or its results disagree
// with the baseline's; 2 if the arguments make no sense.
int bench_command(int argc, char** argv);

}  // namespace tutti::tools
