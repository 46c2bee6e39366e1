/// A page with a tag left open still shows, so a test has to look for it.
#ifndef RIFFLE_TESTS_SUPPORT_MARKUP_CHECK_HPP
#define RIFFLE_TESTS_SUPPORT_MARKUP_CHECK_HPP

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::testing {

/// Reads a page strictly: each element closed in its order, each attribute quoted and given once, each id
/// unique, each `&` an entity, each reference to an id (href, aria-labelledby) to one that exists.
class markup_check {
 public:
  explicit markup_check(std::string_view page) : rest_(page) {
    while (error_.empty() && !rest_.empty()) step();
    if (error_.empty() && !open_.empty()) error_ = "never closed: <" + open_.back() + ">";
    for (const std::string& id : wanted_) {
      if (error_.empty() && !ids_.contains(id)) error_ = "no element has the id " + id;
    }
  }
  /// What is wrong first; empty: nothing.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  void step() {
    const std::size_t tag = std::min(rest_.find('<'), rest_.size());
    check_text(rest_.substr(0, tag));
    rest_.remove_prefix(tag);
    if (rest_.empty()) return;
    if (rest_.starts_with("<!DOCTYPE html>")) {
      rest_.remove_prefix(15);
      return;
    }
    read_tag();
  }

  void read_tag() {
    rest_.remove_prefix(1);
    const bool closing = rest_.starts_with('/');
    if (closing) rest_.remove_prefix(1);
    const std::string name = take_name();
    if (name.empty()) return fail("a < that begins no tag");
    std::set<std::string> seen;
    while (error_.empty() && !rest_.empty() && rest_.front() == ' ') {
      rest_.remove_prefix(1);
      read_attribute(name, seen);
    }
    const bool alone = rest_.starts_with('/');
    if (alone) rest_.remove_prefix(1);
    if (!rest_.starts_with('>')) return fail("the tag does not end: <" + name);
    rest_.remove_prefix(1);
    constexpr std::array<std::string_view, 4> empty_elements{"meta", "br", "link", "img"};
    if (alone || std::ranges::count(empty_elements, name) != 0) return;
    if (!closing) {
      open_.push_back(name);
      if (name == "style") rest_.remove_prefix(std::min(rest_.find("</style>"), rest_.size()));
    } else if (open_.empty() || open_.back() != name) {
      fail("</" + name + "> closes " + (open_.empty() ? "nothing" : "<" + open_.back() + ">"));
    } else {
      open_.pop_back();
    }
  }

  void read_attribute(const std::string& tag, std::set<std::string>& seen) {
    const std::string name = take_name();
    if (!seen.insert(name).second) return fail(name + " twice in <" + tag + ">");
    if (!rest_.starts_with("=\"")) return fail(name + " of <" + tag + "> is not quoted");
    rest_.remove_prefix(2);
    const std::string value(rest_.substr(0, rest_.find('"')));
    rest_.remove_prefix(std::min(value.size() + 1, rest_.size()));
    check_text(value);
    if (value.find('<') != std::string::npos) fail("a < in " + name);
    if (name == "id" && !ids_.insert(value).second) fail("the id " + value + " twice");
    if (name == "href")
      value.starts_with('#') ? wanted_.push_back(value.substr(1)) : fail("a link out: " + value);
    if (name == "aria-labelledby") {
      wanted_.push_back(value.substr(0, value.find(' ')));
      wanted_.push_back(value.substr(value.rfind(' ') + 1));
    }
  }

  std::string take_name() {
    std::size_t length = 0;
    while (length < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[length])) != 0 || rest_[length] == '-')) {
      ++length;
    }
    std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return name;
  }

  void check_text(std::string_view text) {
    constexpr std::array<std::string_view, 6> entities{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&nbsp;"};
    for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
      const auto starts = [&](std::string_view entity) { return text.substr(at).starts_with(entity); };
      if (std::ranges::none_of(entities, starts)) fail("a bare & in: " + std::string(text.substr(at, 20)));
    }
  }

  void fail(const std::string& what) {
    if (error_.empty()) error_ = what + ", before: " + std::string(rest_.substr(0, 60));
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  std::set<std::string> ids_;
  std::vector<std::string> wanted_;
  std::string error_;
};

}  // namespace riffle::testing

#endif
