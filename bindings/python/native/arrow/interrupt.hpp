/// Brings Ctrl-C through a consumer of Arrow, whose interface has only an errno and a text.
#pragma once

#include <exception>
#include <memory>

namespace riffle::python::arrow {

/// Keeps a KeyboardInterrupt, a SystemExit or what else Python code raised that is no `Exception`, until the
/// main thread of Python raises it.
class interrupt {
 public:
  /// Keeps such an exception, and lets Python raise it as soon as it runs again. Another one is left alone.
  void keep(const std::exception_ptr& failure) noexcept;
  /// Raises the exception in place of the one that this thread is raising, if it is not raised yet. A
  /// consumer of Arrow calls it while it returns its own error to Python.
  void replace_error() noexcept;

 private:
  struct kept;
  std::shared_ptr<kept> kept_;
};

}  // namespace riffle::python::arrow
