// The program `nowsim`: the command line with nowsim's own things alone.
#include "tools/line/command_line.hpp"

int main(int argc, char** argv) { return nowsim::command_line(argc, argv); }
