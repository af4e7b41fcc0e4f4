// Compiles one pipeline with one schedule into an object file.
//   generate <pipeline> hand|Mullapudi2016|Adams2019|Li2018 <folder of Halide's plug-ins> <object>
//   generate runtime <object>
// The object exports <pipeline>_<schedule>_argv(void** buffers): inputs first, then the output.
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>

#include "bench/halide/pipeline.hpp"

namespace {

using namespace tutti::bench::halide;

const std::map<std::string, Pipeline (*)()> pipelines{{"blur16", blur16},
                                                      {"unsharp", unsharp},
                                                      {"harris", harris},
                                                      {"stencil_chain", stencil_chain},
                                                      {"bilateral_grid", bilateral_grid}};

void tell_extents(Pipeline& pipeline) {
  for (Halide::ImageParam& in : pipeline.inputs) {
    in.dim(0).set_estimate(0, estimate.columns);
    in.dim(1).set_estimate(0, estimate.rows);
    if (in.dimensions() == 3) in.dim(2).set_estimate(0, pipeline.planes);
  }
  Halide::Region region{{0, estimate.columns}, {0, estimate.rows}};
  if (pipeline.planes > 1) region.push_back({0, pipeline.planes});
  pipeline.output.set_estimates(region);
}

void schedule(Pipeline& pipeline, const std::string& how, const std::string& plugins,
              const Halide::Target& target) {
  if (how == "hand") return pipeline.schedule();
  std::string file = how;
  for (char& letter : file) letter = static_cast<char>(std::tolower(letter));
  Halide::load_plugin(plugins + "/libautoschedule_" + file + ".so");
  tell_extents(pipeline);
  Halide::Pipeline(pipeline.output)
      .apply_autoscheduler(target, Halide::AutoschedulerParams(how, {{"parallelism", "16"}}));
}

void generate(const std::string& name, const std::string& how, const std::string& plugins,
              const std::string& object) {
  const auto found = pipelines.find(name);
  if (found == pipelines.end()) throw std::runtime_error("no pipeline is called " + name);
  const Halide::Target target = Halide::get_host_target().with_feature(Halide::Target::NoRuntime);
  Pipeline pipeline = found->second();
  schedule(pipeline, how, plugins, target);
  const std::vector<Halide::Argument> arguments(pipeline.inputs.begin(), pipeline.inputs.end());
  pipeline.output.compile_to_object(object, arguments, name + "_" + how, target);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string(argv[1]) == "runtime")
      Halide::compile_standalone_runtime(argv[2], Halide::get_host_target());
    else if (argc == 5)
      generate(argv[1], argv[2], argv[3], argv[4]);
    else
      throw std::runtime_error("expected <pipeline> <schedule> <plug-ins> <object>");
    return 0;
  } catch (const Halide::Error& error) {
    std::fprintf(stderr, "generate: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generate: %s\n", error.what());
    return 2;
  }
}
