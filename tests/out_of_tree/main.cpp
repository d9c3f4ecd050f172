// The whole command line of nowsim, with one thing more of each kind.
#include "additions.hpp"
#include "tools/line/command_line.hpp"

int main(int argc, char** argv) {
  return nowsim::command_line(argc, argv, {.owners = {lunch()},
                                           .policies = {by_memory()},
                                           .metrics = {longest()},
                                           .techniques = {half_of_a_share()},
                                           .workloads = {stencil()}});
}
