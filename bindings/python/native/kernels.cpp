/// Defines riffle_io.kernels, by which a build shows that it uses the SIMD instructions of the processor.
#include <riffle/kernels.hpp>

#include "bindings/python/native/parts.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

nb::list names() {
  nb::list result;
  for (const kernel_info& kernel : riffle::kernels()) {
    result.append(nb::str(kernel.name.data(), kernel.name.size()));
  }
  return result;
}

}  // namespace

void register_kernels(nb::module_& module) {
  module.def("kernels", names,
             "Returns the names of the SIMD kernels that this processor can run, best first.\n\n"
             "riffle_io uses the first one, unless the environment variable RIFFLE_KERNEL names another one "
             "when riffle_io first needs a kernel. Raises RiffleError if that variable names none of them.");
}

}  // namespace riffle::python
