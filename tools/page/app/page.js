// The one global name: every file of the page adds its part to it.
"use strict";

const page = {};
