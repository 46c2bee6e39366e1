/// A file in C++20 reads by riffle's own headers in the program of one in C++17: main20 FILE.
#include <riffle/riffle.hpp>

#include <cstdio>
#include <string>

std::string faults_of_17(const std::string& path);

int main(int, char** names) {
  std::string fault = faults_of_17(names[1]);
  if (riffle::count_lines(names[1]) != 1000) fault += "the lines are wrong in C++20";
  std::puts(fault.c_str());
  return fault.empty() ? 0 : 1;
}
