/// Changes a file in every way that another process can, and notes each change before and after.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/torture/torture.hpp"

namespace riffle::torture {

namespace {

class writer {
 public:
  writer(place& at, dice& random, std::uint64_t largest) : place_(at), random_(random), largest_(largest) {
    replace();
  }
  ~writer() { ::close(descriptor_); }
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;

  void step() {
    switch (random_.below(7)) {
      case 0:
        return cut(random_.below(size_ + 1));
      case 1:
        cut(random_.below(size_ + 1));
        if (random_.below(2) == 0) pause();
        return write(size_, random_.below(largest_ + 1));
      case 2:
        return write(size_, size_ + random_.below(largest_));
      case 3: {
        const std::uint64_t begin = random_.below(size_ + 1);
        return write(begin, std::min(size_, begin + random_.below(largest_)));
      }
      case 4:
        return zeros(size_ + random_.below(20'000));
      case 5:
        place_.removed = true;
        std::filesystem::remove(place_.path());
        pause();
        return replace();
      default:
        return replace();
    }
  }
  void pause() { ::usleep(static_cast<useconds_t>(random_.below(random_.below(4) == 0 ? 3000 : 200))); }

 private:
  void cut(std::uint64_t size) {
    if (size == 0 && !place_.can_be_empty()) size = 1;
    note({change::kind::cut, size, size, 0},
         [&] { return ::ftruncate(descriptor_, static_cast<off_t>(size)) == 0; });
  }
  void zeros(std::uint64_t end) {
    note({change::kind::zeros, size_, end, 0},
         [&] { return ::ftruncate(descriptor_, static_cast<off_t>(end)) == 0; });
  }
  void write(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    const unsigned generation = ++generation_;
    std::string bytes;
    for (std::uint64_t at = begin; at != end; ++at) bytes += content(generation, at);
    note({change::kind::write, begin, end, generation}, [&] {
      return ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(begin)) ==
             static_cast<ssize_t>(bytes.size());
    });
  }
  template <class F>
  void note(const change& next, F apply) {
    file_->begin(next);
    if (!apply()) throw std::runtime_error("cannot change the file");
    size_ = next.size_after(size_);
    file_->end();
  }
  // Another file under the same name.
  void replace() {
    const std::filesystem::path other = place_.path().string() + ".new";
    if (descriptor_ >= 0) ::close(descriptor_);
    // While descriptors are few, the readers may hold all of them.
    while ((descriptor_ = ::open(other.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600)) < 0) pause();
    file_ = place_.add();
    size_ = 0;
    write(0, 1 + random_.below(largest_));
    std::filesystem::rename(other, place_.path());
    place_.added();
  }

  place& place_;
  dice& random_;
  std::uint64_t largest_;
  std::shared_ptr<history> file_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  unsigned generation_ = 0;
};

}  // namespace

void mutate(place& at, dice& random, std::uint64_t largest, const std::function<void()>& ready) {
  writer file(at, random, largest);
  ready();
  for (std::uint64_t left = random.below(12); left != 0; --left) {
    file.pause();
    if (random.below(3) == 0) ::kill(::getpid(), SIGUSR1);
    file.step();
  }
}

}  // namespace riffle::torture
