// The program `nowsim`: the command line with nowsim's own workloads.
#include "tools/command_line.hpp"
#include "workloads/built_in.hpp"

int main(int argc, char** argv) { return nowsim::command_line(argc, argv, nowsim::builtin_workloads()); }
