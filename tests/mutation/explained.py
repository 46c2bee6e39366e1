"""Mutants that no test of behaviour can kill, each with the reason; `mutate` reports them apart."""

# Each constant of these lines is tuning: with any value near, answers, errors and limits are the same, at another
# speed or in other memory. A mutant of another kind on the same line counts as every other mutant.
TUNING = {
    ("src/source/cache_dropper.cpp", "constexpr std::uint64_t drop_step = std::uint64_t{2} << 20U;"):
        "how many bytes of the page cache go in one call",
    ("src/method/memory.cpp", "static constexpr std::size_t window = std::size_t{8} << 20U;"):
        "how many bytes of a mapped file one call faults in",
    ("src/source/carry.hpp", "const std::size_t wanted = size < SIZE_MAX / 2 ? size + size / 2 + 256 : size;"):
        "how far memory grows ahead of its need",
    ("include/riffle/detail/scanned.hpp", "inline constexpr std::size_t short_memory = 2048;"):
        "which of two loops with equal answers walks memory",
    ("include/riffle/detail/mask_scan.hpp", "__builtin_prefetch(base_ + 4096);"):
        "how far ahead the cache is filled",
    ("include/riffle/detail/match_scan.hpp", "__builtin_prefetch(at.base + batch_masks * 64);"):
        "how far ahead the cache is filled",
    ("src/record/values.cpp",
     "constexpr std::size_t copy_bytes = 8192;  // half of what the smallest first-level caches hold"):
        "how many bytes are swapped at a time",
    **{("src/record/values.cpp",
        f"if (size == {size}) return kernel.reverse_{8 * size}(values.data(), values.size(), to);"):
       "which loop swaps numbers of this size; no number has a size near it" for size in (2, 4, 8)},
    ("src/record/reader.cpp", "const std::size_t wanted = size + size / 2 + alignment;"):
        "how far memory grows ahead of its need",
    ("src/parallel/parallel.cpp",
     "constexpr std::size_t overhang = 16 * 1024;  // to complete the last record of a split"):
        "how many bytes behind a split one read takes along",
    ("src/parallel/parallel.cpp", "constexpr std::size_t longest_block = std::size_t{64} << 20U;"):
        "from which size on a split is gathered from several blocks",
    ("src/parallel/files.cpp", "constexpr std::uint64_t largest_side_by_side = std::uint64_t{16} << 20U;"):
        "from which size on all threads share a file",
    ("src/parallel/files.cpp", "constexpr std::size_t most = 64;"):
        "how many files a thread takes at a time",
    ("src/parallel/files.cpp", "const std::size_t handful = workers_ == 1 ? 1 : 16;"):
        "how many results a thread hands on at a time",
    ("src/parallel/parallel.cpp",
     "constexpr std::size_t largest_split = std::size_t{1} << (sizeof(std::size_t) == 8 ? 40U : 30U);"):
        "a split of a tebibyte is as good as one of two; the bound keeps sums of offsets from wrapping",
    ("src/method/waiting.hpp", "static constexpr double fastest_storage = 16e9;"):
        "how fast a queue grows",
    ("src/os/posix/window.cpp", "constexpr std::size_t huge_page = std::size_t{2} << 20;"):
        "which alignment lets the OS kernel use huge pages",
    ("src/os/posix/window.cpp",
     "if (!head || !body || *body > SIZE_MAX / 4 || *head > SIZE_MAX / 4) fail_to_map(name, {}, ENOMEM);"):
        "no machine has a fifth or a third of all addresses; the bound keeps sums of sizes from wrapping",
    ("src/os/posix/fault_guard.cpp", "constexpr unsigned most_faults = 256;"):
        "after how many faults the rest of a range is replaced at once",
    ("src/os/posix/fault_guard.cpp", "constexpr unsigned most_faults_of_all = 4096;"):
        "after how many faults the rest of a range is replaced at once",
}

# These change no answer, no error and no limit. They count as survivors.
EQUIVALENT = {
    ("src/os/posix/fault_guard.cpp", "while (fault < known && !lowest.compare_exchange_weak(known, fault)) {",
     "while (fault <= known && !lowest.compare_exchange_weak(known, fault)) {"):
        "an address is replaced by itself",
    ("src/os/posix/fault_guard.cpp", "const bool many = slot->faults.fetch_add(1) >= most_faults;",
     "const bool many = slot->faults.fetch_add(2) >= most_faults;"):
        "half as many faults are a fit bound too",
    ("src/parallel/files.cpp", "if (threads == 1) return 1;", "if (threads == 0) return 1;"):
        "the next line gives 1 as well, after counting the free descriptors",
    ("src/parallel/files.cpp", "std::size_t index = 0;", "std::size_t index = 1;"):
        "it is set before its first use, unless memory for the thread's own lists is refused",
    ("include/riffle/detail/mask_scan.hpp", "__builtin_prefetch(base_ + 4096);", ";"):
        "a prefetch has no effect but on time",
    ("include/riffle/detail/mask_scan.hpp", "__builtin_prefetch(base_ + 4096);", "__builtin_prefetch(base_ - 4096);"):
        "a prefetch has no effect but on time",
    ("include/riffle/detail/match_scan.hpp", "__builtin_prefetch(at.base + batch_masks * 64);", ";"):
        "a prefetch has no effect but on time",
    ("include/riffle/detail/match_scan.hpp", "__builtin_prefetch(at.base + batch_masks * 64);",
     "__builtin_prefetch(at.base - batch_masks * 64);"):
        "a prefetch has no effect but on time",
    ("include/riffle/detail/match_scan.hpp", "__builtin_prefetch(at.base + batch_masks * 64);",
     "__builtin_prefetch(at.base + batch_masks / 64);"):
        "a prefetch has no effect but on time",
    ("include/riffle/detail/place_scan.hpp",
     "if (place > rest_.data()) start({place, static_cast<std::size_t>(rest_.data() + rest_.size() - place)});",
     "if (place >= rest_.data()) start({place, static_cast<std::size_t>(rest_.data() + rest_.size() - place)});"):
        "the rest begins there already",
    ("include/riffle/fields.hpp", "if (ended_) return;", ";"):
        "behind the last field nothing is searched, and no caller asks for a record there",
    ("src/source/resolve.cpp",
     "if (options.whole_file && info_of(options.method).maps && bytes_left(input) <= largest_block) {",
     "if (options.whole_file && info_of(options.method).maps && bytes_left(input) < largest_block) {"):
        "no file has a quarter of all addresses",
    ("src/record/reader.cpp", "scanning = true;", ";"):
        "each line searches bytes again that the one before it searched, with the same result",
    ("src/record/values.cpp", "if (size == 4) return kernel.reverse_32(values.data(), values.size(), to);", ";"):
        "the loop for other sizes swaps these too, more slowly",
    ("include/riffle/values.hpp",
     ": source_(std::move(from)), size_(size), alignment_(alignment), swapped_(swapped && size > 1) {}",
     ": source_(std::move(from)), size_(size), alignment_(alignment), swapped_(swapped && size > 0) {}"):
        "a byte in reverse is the same byte, which is then copied",
    ("src/record/values.cpp", "const std::size_t most = std::max(copy_bytes / size_, std::size_t{1}) * size_;",
     "const std::size_t most = std::max(copy_bytes * size_, std::size_t{1}) * size_;"):
        "more values are copied at a time, into more memory",
    ("src/parallel/share_parts.hpp", "return no_reader.note(0);  // no descriptor or memory is left",
     "return no_reader.note(1);  // no descriptor or memory is left"):
        "one of these failures is thrown, and no index is larger than any other's",
    ("src/parallel/positions.cpp", "std::uint64_t begin_ = 0;           // of the split",
     "std::uint64_t begin_ = 1;           // of the split"):
        "it is set before its first use",
    ("src/method/mmap.cpp",
     "std::size_t room_ = 0;      // what lies before a part that does not start a page is the file's",
     "std::size_t room_ = 1;      // what lies before a part that does not start a page is the file's"):
        "it is set before its first use",
    ("src/os/posix/window.cpp", "static_cast<void>(mmap(at + whole, mapped - whole, PROT_NONE, again, -1, 0));",
     "static_cast<void>(mmap(at + whole, mapped - whole, PROT_NONE, again, -2, 0));"):
        "an anonymous mapping has no descriptor",
    ("src/method/read_queue.cpp", "if (depth <= slots_.size()) return;", ";"):
        "a queue that is deep enough does not grow anyway, but riffle asks once how much memory there is",
    ("src/method/read_queue.cpp", "start(done.tag);", ";"):
        "`complete` reads what failed again; of pipes and terminals Linux 6.18 waits for the bytes itself",
    ("src/source/carry.hpp", "std::size_t size_ = 0;", "std::size_t size_ = 1;"):
        "it is set before its first use",
    ("src/source/carry.hpp", "if (size_ <= room) {", "if (size_ < room) {"):
        "a carry of just this size is joined in memory that grows, to the same bytes",
    ("src/source/carry.hpp", "if (size <= capacity_) return;", "if (size < capacity_) return;"):
        "memory of just this size grows although it would do",
    ("src/source/carry.hpp", "capacity_ = wanted;", ";"):
        "memory is asked for anew each time, with the same bytes",
}
