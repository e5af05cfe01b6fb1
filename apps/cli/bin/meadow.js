#!/usr/bin/env node
/*
 * Runs the command with Node 24, which runs TypeScript as it is, whichever Node comes first in the path. As a published
 * package the command is plain JavaScript, and runs with Node 20 too.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

if (Number(process.versions.node.split('.')[0]) >= 24) {
  // As in main.ts, which would be read without it: with a compiler that takes 40 ms to load.
  nodeModule.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
  await import('../src/main.ts')
} else runWith(findNode())

/** npm puts Node 24 beside the project's other packages. */
function findNode() {
  const { platform, arch } = process
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const binary = platform === 'win32' ? 'node.exe' : 'node'
  for (let folder = fileURLToPath(new URL('..', import.meta.url)); ; folder = dirname(folder)) {
    const node = join(folder, 'node_modules', name, 'bin', binary)
    if (existsSync(node)) return node
    if (folder === dirname(folder)) return undefined
  }
}

/** Becomes that Node, as far as whoever called this can tell. */
function runWith(node) {
  if (node === undefined) {
    process.stderr.write("meadow needs Node 24 here. Run 'npm ci' in the project, or install Node 24.\n")
    process.exitCode = 1
    return
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both, and other programs to this one alone. Windows would kill the other one by it.
  process.on('SIGINT', () => process.platform !== 'win32' && child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}
