// Precompiled for all tests: Catch2 and what it includes anyway. No file relies on it; each names what it uses.
#include <catch2/catch.hpp>
