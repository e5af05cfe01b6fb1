import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startExports } from '../../features/exports/testing/start-exports.ts'
import { createDocument } from '../../library/documents.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES } from '../../testing/databases.ts'

/** The bodies of version 1.0 before it had parameters for parts, by the names of the requests below. */
const RECORDED: Record<string, string> = JSON.parse(
  readFileSync(new URL('./testing/recorded-answers.json', import.meta.url), 'utf8'),
)

const N1 = '11111111-1111-4111-8111-111111111111'
const NODE = {
  instanceId: N1,
  templateId: '57da07bd-ecab-415d-9d86-af36d7073abc',
  ...{ name: 'Number Slider', nickName: 'größe "x"', position: { x: 1.5, y: -2 } },
  ...{ status: { isEnabled: true, isPreviewed: true }, inputs: {}, outputs: { [N1]: 0 }, sources: {} },
  values: { [N1]: { branches: [{ path: '{0}', values: [{ type: 'number', value: 3.5 }, null] }] } },
  ports: { [N1]: { name: 'Number', nickName: 'N', typeName: 'Number', access: 'item', flags: [] } },
}
const CONTENT = {
  nodes: { [N1]: NODE },
  groups: [{ id: 'g1', label: 'All', colour: '#ff0000ff', nodeInstanceIds: [N1], groupIds: [] }],
  configuration: { inputs: [{ nodeInstanceId: N1, portInstanceId: N1 }], outputs: [] },
}

/** A body with the ids, times and digests that differ from run to run replaced. */
function normalize(text: string): string {
  const known = new Map<string, string>()
  const number = (id: string) => {
    const kind = id.includes('_') ? id.slice(0, 3) : 'uuid'
    const found =
      known.get(id) ?? `${kind}${[...known.values()].filter((one) => one.startsWith(kind)).length}`
    known.set(id, found)
    return found
  }
  return text
    .replace(/\b(?:fld|doc|sol)_[0-9a-z]{16}\b/g, number)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, number)
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'time')
    .replace(/"(url|sha256)":"[^"]*"/g, '"$1":""')
    .replace(/"size":\d+/g, '"size":0')
}

test('[D46, C4] given the six endpoints without parameters for parts, then every body is byte for byte what it was', async (t) => {
  const { document, run, leaveBody, get, database, fixtures, team } = await startExports(t, DATABASES[0]!)
  const { key: folder, id: folderId } = await fixtures.folder(team, 'Projects 2', 'Tower 10')
  await fixtures.folder(team, 'Projects 2', 'Tower 2')
  await fixtures.document(team, { folder, name: 'Größe "x"', visibility: 'public' })
  const { key: root } = await fixtures.root(team)
  const imported = await changeTeam(database, team.key, (change) =>
    createDocument(change, {
      ...{ folder: root, name: 'Bridge', references: [] },
      content: { kind: 'inline', bytes: Buffer.from(JSON.stringify(CONTENT)) },
      source: {
        ...{ root, from: '/', path: 'a/Bridge.gh', sha256: 'aa', blob: 'aa', sizeBytes: 6, mtimeMs: null },
        facts: {
          file: '{"author":{"name":"Ann"},"plugins":[]}',
          clusters: { kind: 'inline', bytes: Buffer.from('{"n1":{"reason":"missing","message":"x"}}') },
        },
      },
    }),
  )
  const solved = await document(CONTENT, 'Solved')
  const data = { solutionId: 'sol_0000000000000000', [N1]: { [N1]: NODE.values[N1] } }
  const messages = [{ nodeInstanceId: N1, level: 'remark', code: 'note', message: 'größe' }]
  const solution = {
    data,
    includesGeometry: false,
    solvedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    messages,
  }
  await leaveBody(await run(solved), [Buffer.from(JSON.stringify(solution))])
  const requests: Record<string, string> = {
    team: '/team',
    root: '/folders/root',
    folder: `/folders/${folderId}`,
    search: '/documents?q=r&unknown=1',
    document: `/documents/${solved}`,
    imported: `/documents/${imported.id}`,
    solution: `/documents/${solved}/solution`,
    geometry: `/documents/${solved}/solution?includeGeometry=true`,
    bimz: `/documents/${solved}/solution?format=bimz`,
    unsolved: `/documents/${imported.id}/solution`,
    missing: '/folders/nothing',
    export: `/documents/${solved}/export?format=.gh`,
  }
  const bodies: Record<string, string> = {}
  for (const [name, path] of Object.entries(requests)) bodies[name] = normalize((await get(path)).text)
  assert.deepEqual(bodies, RECORDED)
})
