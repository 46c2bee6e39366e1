/// The example of an object: a file on an HTTP server that takes 20 ms for each answer.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

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
    static_cast<void>(recv(connection, request, sizeof request - 1, 0));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    unsigned long long begin = 0;
    unsigned long long last = bytes_.size() - 1;
    const std::size_t range = std::string_view(request).find("bytes=");
    if (range != std::string_view::npos) std::sscanf(request + range, "bytes=%llu-%llu", &begin, &last);
    const std::string part = bytes_.substr(begin, last - begin + 1);
    std::string told = "HTTP/1.1 206 Part\r\nContent-Length: " + std::to_string(part.size()) + "\r\n\r\n";
    if (std::string_view(request).starts_with("GET")) told += part;
    static_cast<void>(send(connection, told.data(), told.size(), MSG_NOSIGNAL));
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
  for (const row& each : {row{"", 12, 64}, {"1", 1, 1}, {"4", 2, 4}}) {
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
