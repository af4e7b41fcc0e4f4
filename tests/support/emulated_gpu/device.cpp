#include "support/emulated_gpu/device.hpp"

#include "runtime/gpu/gpu_device.hpp"
#include "support/emulated_gpu/compiler.hpp"
#include "target/h200.hpp"

namespace tutti::test {

EmulatedDevice make_emulated_gpu(const std::string& name) {
  auto driver = std::make_unique<EmulatedDriver>();
  EmulatedDriver& kept = *driver;
  return {runtime::gpu::make_device({
              .name = name,
              .description = "a GPU that is emulated on the host",
              .multiprocessors = 4,
              .target = target::h200,
              .driver = std::move(driver),
              .compiler = std::make_unique<EmulatedCompiler>(),
          }),
          kept};
}

EmulatedDriver& add_emulated_gpu() {
  const EmulatedDevice made = make_emulated_gpu("emulated");
  runtime::add_device(*made.device);
  return made.driver;
}

}  // namespace tutti::test
