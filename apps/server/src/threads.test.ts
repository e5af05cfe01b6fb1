import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDefinitionFile } from './testing/definition-file.ts'
import { createFolder } from './testing/definition-folder.ts'
import { createCommandLine, noLauncher } from './testing/meadow-server.ts'
import { until } from './testing/until.ts'

/** A thread that is ended while it makes a stream of `node:zlib` takes the process with it. */
const NO_ZLIB = new URL('./testing/no-zlib-in-threads.ts', import.meta.url)

test('given threads that may be ended at any moment, when they read, solve and make bodies and files, then none uses node:zlib', {
  skip: noLauncher,
}, async (t) => {
  const { start } = await createCommandLine(t, {
    NODE_OPTIONS: `--import=${NO_ZLIB}`,
    MEADOW_PORT: '0',
  })
  const server = start('serve', '--demo', '--json')
  const { address, team, token, solutions } = JSON.parse(await server.firstLine())
  const folder = await createFolder(t, { 'a.gh': createDefinitionFile() })
  const { code, stderr } = await start('import', folder, '--team', team).finished
  assert.equal(code, 0, stderr)

  const { id } = solutions.find(({ state }: { state: string }) => state === 'solved')
  const read = async (path: string) => {
    const answer = await fetch(`${address}/api/v1/documents/${id}/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return answer.status === 202 ? undefined : { status: answer.status, body: await answer.text() }
  }
  const asked = [
    'solution?includeGeometry=true',
    'solution?format=bimz',
    'export?format=.gh',
    'export?format=.3dm',
  ]
  for (const path of asked) {
    const { status, body } = await until(`${path} is there`, () => read(path))
    assert.equal(status, 200, body)
    if (path.startsWith('solution')) assert.match(body, /"opennurbs":/)
  }
})
