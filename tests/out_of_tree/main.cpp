// The whole command line of nowsim, with one workload more.
#include "stencil.hpp"
#include "tools/command_line.hpp"
#include "workloads/built_in.hpp"

int main(int argc, char** argv) {
  auto workloads = nowsim::builtin_workloads();
  workloads.add(stencil());
  return nowsim::command_line(argc, argv, workloads);
}
