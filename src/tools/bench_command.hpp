// `tutti bench`: times Tutti against hand-written baselines.
#pragma once

namespace tutti::tools {

// Takes the arguments after the word "bench". Returns 0, 1 if a benchmark failed or its results
// disagree with the baseline's, or 2 for wrong arguments.
int bench_command(int argc, char** argv);

}  // namespace tutti::tools
