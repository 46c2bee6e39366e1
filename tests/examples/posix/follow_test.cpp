/// The examples that follow a log which is rotated, and that read a file on an HTTP server.
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// The follower, and a daemon that writes to its log. Each line has a number.
class followed_log : not_copied {
 public:
  followed_log()
      : printed_(::popen(("exec " + std::string(build::examples) + "/follow " + path_ + " 1").c_str(), "r")) {
    append_lines(1);
  }
  ~followed_log() {
    append("end\n");
    ::pclose(printed_);
    ::close(log_);
  }

  // The daemon is told of its new file later, or ends within a line.
  void rotate() {
    append_lines(random_() % 4);
    std::filesystem::rename(path_, path_ + ".1");
    if (random_() % 2 == 0) ::close(created());
    append_lines(random_() % 3);
    if (random_() % 4 == 0) {
      append("half");
      written_ += '\n';
    }
    ::close(std::exchange(log_, created()));
    append_lines(1 + random_() % 3);
  }
  // As `copytruncate`: what was written before was followed, and what is written after is shorter.
  void cut() {
    append_lines(3);
    expect_all();
    std::filesystem::resize_file(path_, 0);
    append_lines(1);
  }
  // Waits for each byte that was written.
  void expect_all() {
    pollfd waited{::fileno(printed_), POLLIN, 0};
    std::string printed;
    while (printed.size() < written_.size()) {
      std::array<char, 4096> bytes;
      const ssize_t count =
          ::poll(&waited, 1, 20'000) == 1 ? ::read(waited.fd, bytes.data(), bytes.size()) : 0;
      if (count <= 0) break;
      printed.append(bytes.data(), static_cast<std::size_t>(count));
      if (!written_.starts_with(printed)) break;
    }
    ASSERT_EQ(printed, written_);
    written_.clear();
  }

 private:
  int created() const { return ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600); }
  void append(const std::string& text) {
    std::this_thread::sleep_for(std::chrono::microseconds(random_() % 1500));
    ASSERT_EQ(::write(log_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    written_ += text;
  }
  void append_lines(std::size_t count) {
    for (; count != 0; --count) append("line " + std::to_string(++lines_) + '\n');
  }

  const temporary_directory folder_;
  const std::string path_ = folder_.path() / "log";
  int log_ = created();
  std::FILE* printed_;
  std::mt19937 random_{1};
  int lines_ = 0;
  std::string written_;  // and not yet printed
};

// RIFFLE_ROTATIONS: how many, if they are to be others.
TEST(examples, follow_a_log_without_losing_a_line) {
  const char* const wanted = std::getenv("RIFFLE_ROTATIONS");
  followed_log log;
  log.expect_all();  // once it is open
  for (int left = wanted != nullptr ? std::atoi(wanted) : 100; left != 0 && !HasFailure(); --left) {
    left % 5 == 0 ? log.cut() : log.rotate();
    log.expect_all();
  }
}

// Serves ranges of bytes on this machine, one of them on each connection, and notes how many wait at once.
class slow_server {
 public:
  explicit slow_server(std::string bytes) : bytes_(std::move(bytes)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    listen(listener_, 128);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = std::to_string(ntohs(address.sin_port));
    accepting_ = std::thread([this] {
      for (int each = 0; (each = accept(listener_, nullptr, nullptr)) >= 0;) {
        answering_.emplace_back([this, each] { answer(each); });
      }
    });
  }
  ~slow_server() {
    shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    for (std::thread& each : answering_) each.join();
    close(listener_);
  }

  const std::string& port() const { return port_; }
  int most() const { return most_; }

 private:
  void answer(int connection) {
    const int inside = ++now_;
    for (int before = most_; before < inside && !most_.compare_exchange_weak(before, inside);) continue;
    char request[1000] = {};
    (void)recv(connection, request, sizeof request - 1, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    unsigned long long begin = 0;
    unsigned long long last = bytes_.size() - 1;
    const std::size_t range = std::string_view(request).find("bytes=");
    if (range != std::string_view::npos) std::sscanf(request + range, "bytes=%llu-%llu", &begin, &last);
    const std::string part = bytes_.substr(begin, last - begin + 1);
    std::string told = "HTTP/1.1 206 Part\r\nContent-Length: " + std::to_string(part.size()) + "\r\n\r\n";
    if (std::string_view(request).starts_with("GET")) told += part;
    (void)send(connection, told.data(), told.size(), MSG_NOSIGNAL);
    --now_;
    close(connection);
  }

  std::string bytes_;
  int listener_ = socket(AF_INET, SOCK_STREAM, 0);
  std::string port_;
  std::atomic<int> now_ = 0;
  std::atomic<int> most_ = 0;
  std::vector<std::thread> answering_;
  std::thread accepting_;
};

TEST(examples, read_lines_from_a_server_with_many_requests_in_flight) {
  struct row {
    const char* depth;
    int least;
    int most;
  };
  const std::string text = numbered_lines(1000000);
  for (const row& each : {row{"", build::instrumented ? 5 : 12, 64}, {"1", 1, 1}, {"4", 2, 4}}) {
    const slow_server server(text);
    const auto start = std::chrono::steady_clock::now();
    const shell_result result = shell("$examples/http_lines " + server.port() + " /file " + each.depth);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(result.out, "1000000\n") << result.err;
    EXPECT_GE(server.most(), each.least) << each.depth;
    EXPECT_LE(server.most(), each.most) << each.depth;
    RecordProperty(std::string("seconds_with_depth_") + each.depth, std::to_string(took.count()));
  }
}

}  // namespace
}  // namespace riffle::test
