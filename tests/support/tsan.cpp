/// What ThreadSanitizer takes for a fault and is none.
///
/// It cannot see liburing map and unmap its rings, for it makes those calls itself: a ring of one thread that
/// gets the addresses of a ring that another thread gave back looks like a race on them. In the child of a
/// fork it remembers the threads of the parent, which decode ahead, as if they raced and were never joined.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer asks for this name
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions();

// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __tsan_default_suppressions() {
  return "race:riffle::os::ring::\nrace:riffle::test::in_child\nthread:riffle::v0::decode::decode_ahead\n";
}
