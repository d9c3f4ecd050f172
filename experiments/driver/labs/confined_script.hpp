// What a confined Python process runs: it reads a student's file and answers what a technique's function gives.
#pragma once

namespace nowsim {

/// A program for `python3 -c SCRIPT NAME.py VARIABLE:TYPE...`, types as of Python's struct. Descriptor 3 is a socket
/// that keeps messages apart, 4 the file's text. It begins with "t" and a description, or "e" and a sentence, and then
/// answers each request with "n" and a double, or "e" and what the function did.
extern const char* const kConfinedScript;

}  // namespace nowsim
