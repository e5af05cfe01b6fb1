import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { tubes } from '../../../apps/server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import { atEnd } from '../../../apps/server/src/testing/at-end.ts'
import { createFolder } from '../../../apps/server/src/testing/definition-folder.ts'

const PACKAGE = join(import.meta.dirname, '..')

test('[SDK-63] given the examples of the README that read the API, when they are pasted into files of their own, then each runs and prints something', async (t) => {
  const page = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const examples = [...page.split('## Live documents')[0]!.matchAll(/^```ts\n(.*?)^```/gms)].map(
    ([, code]) => code!,
  )
  assert.ok(examples.length >= 5)
  const { address, secret, document, solve } = await startSolutions(t)
  await solve(await document(tubes(), 'Tower'))
  const folder = await createFolder(t)
  await mkdir(join(folder, 'node_modules/@meadow'), { recursive: true })
  await symlink(PACKAGE, join(folder, 'node_modules/@meadow/client'), 'junction')
  const before = process.cwd()
  process.chdir(folder)
  // biome-ignore lint/style/noProcessEnv: the examples take the token from there.
  process.env.MEADOW_TOKEN = secret
  atEnd(t, () => process.chdir(before))
  for (const [index, code] of examples.entries()) {
    const file = join(folder, `example-${index}.ts`)
    await writeFile(file, code.replaceAll('http://127.0.0.1:4000', address))
    const log = t.mock.method(console, 'log', () => {})
    await import(pathToFileURL(file).href)
    assert.ok(log.mock.callCount() > 0, code)
    log.mock.restore()
  }
})
