/// Counts the lines of a file on an HTTP server, with many requests in flight.
///
/// usage: http_lines PORT PATH [QUEUE_DEPTH]
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>
#include <riffle/lines.hpp>

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

// Stands for the client of your library: returns the whole answer of a server on this machine.
std::string ask(const std::string& port, const std::string& request) {
  addrinfo* found = nullptr;
  if (getaddrinfo("127.0.0.1", port.c_str(), nullptr, &found) != 0) throw std::runtime_error("no such port");
  const int connection = socket(found->ai_family, SOCK_STREAM, 0);
  std::string answer;
  if (connect(connection, found->ai_addr, found->ai_addrlen) == 0 &&
      send(connection, request.data(), request.size(), 0) == static_cast<ssize_t>(request.size())) {
    char bytes[65536];
    for (ssize_t more = 0; (more = recv(connection, bytes, sizeof bytes, 0)) > 0;) {
      answer.append(bytes, static_cast<std::size_t>(more));
    }
  }
  close(connection);
  freeaddrinfo(found);
  if (!answer.starts_with("HTTP/1.1 20")) throw std::runtime_error("the server answered: " + answer);
  return answer;
}

class http_file {
 public:
  http_file(std::string port, std::string path) : port_(std::move(port)), path_(std::move(path)) {
    const std::string answer = ask(port_, "HEAD " + path_ + " HTTP/1.1\r\nConnection: close\r\n\r\n");
    size_ = std::stoull(answer.substr(answer.find("Content-Length: ") + 16));
  }

  std::string name() const { return path_; }
  std::uint64_t size() const { return size_; }
  std::size_t read_at(std::uint64_t offset, std::span<char> into) const {
    const std::string range = std::to_string(offset) + "-" + std::to_string(offset + into.size() - 1);
    const std::string answer =
        ask(port_, "GET " + path_ + " HTTP/1.1\r\nConnection: close\r\nRange: bytes=" + range + "\r\n\r\n");
    return answer.copy(into.data(), into.size(), answer.find("\r\n\r\n") + 4);
  }

 private:
  std::string port_;
  std::string path_;
  std::uint64_t size_;
};

int main(int count, char** words) try {
  if (count < 3) throw std::invalid_argument("usage: http_lines PORT PATH [QUEUE_DEPTH]");
  const http_file file(words[1], words[2]);
  const unsigned depth = count == 3 ? 0 : static_cast<unsigned>(std::atoi(words[3]));
  std::uint64_t lines = 0;
  for ([[maybe_unused]] const std::string_view line : riffle::lines(file, {}, {.queue_depth = depth}))
    ++lines;
  std::cout << lines << '\n';
} catch (const std::exception& failure) {
  std::cerr << "http_lines: " << failure.what() << '\n';
  return 1;
}
