import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { bundleModules } from './bundle-modules.ts'

const KYSELY = {
  'package.json': JSON.stringify({
    name: 'kysely',
    type: 'module',
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './migration': './dist/migration/index.js',
    },
  }),
  'dist/index.d.ts': 'export declare const count: () => number',
  'dist/index.js': "export { count } from './counter.js'",
  'dist/counter.js':
    "import { one } from './util/one.js'\nlet sum = 0\nexport const count = () => (sum += one)",
  'dist/util/one.js': 'export const one = 1',
  'dist/migration/index.js': "export { count as again } from '../counter.js'",
}

test('given a package of several modules, when it is bundled, then its addresses export the same from fewer modules', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'meadow-bundle-'))
  const root = join(folder.path, 'kysely')
  for (const [path, text] of Object.entries(KYSELY)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  await bundleModules(folder.path)
  const { count } = await import(pathToFileURL(join(root, 'dist/index.js')).href)
  const { again } = await import(pathToFileURL(join(root, 'dist/migration/index.js')).href)
  assert.deepEqual([count(), again()], [1, 2], 'the addresses share their module')
  const left = globSync('**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name.replace(/-[^.]+/, ''))
  assert.deepEqual(left.sort(), ['counter.js', 'index.d.ts', 'index.js', 'index.js', 'package.json'])
})
