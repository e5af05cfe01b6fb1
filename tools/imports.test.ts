import assert from 'node:assert/strict'
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { IMPORT_RULES } from './import-rules.ts'
import { findForbidden, readImports } from './imports.ts'

const MANIFESTS = Object.fromEntries(
  ['contract', 'document', 'solver'].map((name) => [
    `packages/${name}/package.json`,
    JSON.stringify({ name: `@meadow/${name}`, exports: './src/index.ts' }),
  ]),
)

/** What is wrong with the imports of a repository of these files. */
function check(files: Record<string, string>): string[] {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'meadow-imports-'))
  for (const [path, text] of Object.entries({ ...MANIFESTS, ...files })) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), text)
  }
  return findForbidden(readImports(folder.path), IMPORT_RULES)
}

test('given imports along the arrows, when they are checked, then none is forbidden', () => {
  assert.deepEqual(
    check({
      'packages/contract/src/index.ts': 'export const one = 1',
      'packages/document/src/index.ts': "export { one } from '@meadow/contract'",
      // Tests may import what the code may not.
      'packages/document/src/index.test.ts':
        "import { readFileSync } from 'node:fs'\nimport '@meadow/solver'",
      'packages/solver/src/index.ts': "import { one } from '@meadow/document'\nexport const two = one + 1",
    }),
    [],
  )
})

for (const [how, text] of Object.entries({
  'a static import': "import { two } from '@meadow/solver'",
  'a side effect': "import '@meadow/solver'",
  'an export': "export * from '@meadow/solver'",
  'a dynamic import': "export const late = () => import('@meadow/solver')",
  'an import of types': "import type { Two } from '@meadow/solver'",
  'a type in a file': "export const two: import('@meadow/solver').Two = 2",
}))
  test(`given ${how} against the arrows, when imports are checked, then it is forbidden`, () => {
    const files = {
      'packages/solver/src/index.ts': 'export const two = 2',
      'packages/document/src/a.ts': text,
    }
    assert.deepEqual(check(files), [
      'document imports the contract and inflate only: packages/document/src/a.ts ▶ packages/solver/src/index.ts',
    ])
  })

test('given features and layers of the server, when one imports another feature or a higher layer, then it is forbidden', () => {
  const server = 'apps/server/src'
  const lines = check({
    [`${server}/platform/low.ts`]: "import { high } from '../http/high.ts'",
    [`${server}/http/high.ts`]: 'export const high = 1',
    [`${server}/features/one/a.ts`]:
      "import { high } from '../../http/high.ts'\nimport '../two/b.ts'\nimport './c.ts'",
    [`${server}/features/one/c.ts`]: '',
    [`${server}/features/two/b.ts`]: '',
  })
  assert.deepEqual(lines, [
    `a feature imports no other feature: ${server}/features/one/a.ts ▶ ${server}/features/two/b.ts`,
    `${server} platform imports from lower layers only: ${server}/platform/low.ts ▶ ${server}/http/high.ts`,
  ])
})

test('given a module of Node in a pure package, and imports of nothing, when they are checked, then they are named', () => {
  const file = 'packages/document/src/index.ts'
  assert.deepEqual(check({ [file]: "import 'node:fs'\nimport './gone.ts'\nimport 'left-pad'" }), [
    `every import is found: ${file} ▶ ./gone.ts`,
    `every import is found: ${file} ▶ left-pad`,
    `contract, document, diff, solver, scene and inflate are pure: ${file} ▶ node:fs`,
  ])
})

test('given files that import each other, when it is for more than types, then the circle is found', () => {
  const circle = (last: string) => ({
    'packages/contract/src/a.ts': "import './b.ts'",
    'packages/contract/src/b.ts': "import './c.ts'\nimport './d.ts'",
    'packages/contract/src/c.ts': last,
    'packages/contract/src/d.ts': '',
  })
  const [found, ...others] = check(circle("import { a } from './a.ts'"))
  assert.match(
    found!,
    /^no circles: (packages\/contract\/src\/[abc]\.ts ▶ ){3}packages\/contract\/src\/[abc]\.ts/,
  )
  assert.deepEqual(others, [])
  assert.deepEqual(check(circle("import type { A } from './a.ts'")), [])
})
