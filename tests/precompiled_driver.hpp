// Precompiled for the tests of experiments/ and tools/: what most of them include. No file relies on it; each names
// what it uses.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/tools/program_fixture.hpp"
