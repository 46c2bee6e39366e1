/// ThreadSanitizer cannot see liburing map and unmap its rings, for it makes those calls itself.
///
/// A ring of one thread that gets the addresses of a ring
/// that another thread gave back looks like a race on them.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer asks for this name
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions();

// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __tsan_default_suppressions() {
  return "race:riffle::os::ring::\n";
}
