#!/usr/bin/env node
// The published command is src/main.ts compiled for Node 20. Here Node 24 runs it as it is.
import '../src/main.ts'
