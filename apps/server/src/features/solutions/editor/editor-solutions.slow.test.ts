import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DataBranch, GraphContent } from '@meadow/contract'
import {
  APP_PREFIX,
  findSceneValue,
  readCompactScene,
  readScene,
  type Scene,
  type SceneBatch,
} from '@meadow/contract/web'
import { setMember } from '../../../access/members.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import { addCredits } from '../../../team/teams.ts'
import { createSuiteScope } from '../../../testing/at-end.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../../testing/databases.ts'
import { createGraph } from '../../../testing/graph/create-graph.ts'
import { type Browser, startWebApp } from '../../../testing/start-web-app.ts'
import { until } from '../../../testing/until.ts'
import { points } from '../../solves/testing/graphs.ts'

/** A server for the tests of a suite, in which each of them has a document of its own. */
function shareServer(kind?: TestDatabase) {
  const suite = createSuiteScope()
  const start = async () => {
    const app = await startWebApp(suite, kind, { MEADOW_SOLVE_WORKERS: '1' })
    await changeTeam(app.database, app.team.key, (change) => addCredits(change, 100))
    return { ...app, ann: await app.signIn('Ann', 'member') }
  }
  let started: ReturnType<typeof start> | undefined
  return async (content: GraphContent) => {
    started ??= start()
    const app = await started
    const { ann, fixtures, team } = app
    const id = await fixtures.document(team, { content })
    const path = `/documents/${id}`
    const solve = async (browser: Browser = ann) => {
      const accepted = await browser.request('POST', `${path}/solves`)
      assert.equal(accepted.status, 202, accepted.text)
      return until('it is solved', async () => {
        const { json } = await ann.get(`${path}/solution`)
        return (json.solve === 'solved' || json.solve === 'failed') && json
      })
    }
    return { ...app, id, path, solve }
  }
}

for (const kind of FEATURE_DATABASES) {
  describe(`solutions in the editor on ${kind.name}`, kind.options, () => {
    const startEditor = shareServer(kind)

    test('[EDIT-1, EDIT-2, EDIT-3, FILE-2] given a document that was never solved, when it is solved, then the editor has numbers, values and a scene, and lists have its completeness', async () => {
      const content = points()
      const { ann, id, team, path, solve } = await startEditor(content)
      assert.deepEqual((await ann.get(`${path}/solution`)).json, {
        solve: 'never',
        reason: null,
        solution: null,
      })
      const { solution } = await solve()
      assert.equal(solution.hasGeometry, true)
      assert.ok(solution.creditTenths >= 1)
      const { document } = (await ann.get(path)).json
      const { documents: found } = (await ann.get(`/teams/${team.id}/search?q=`)).json
      const { documents: listed } = (await ann.get(`/folders/${document.path.at(-1).id}`)).json.folder
      const isIt = (one: { id: string }) => one.id === id
      for (const { solve, completeness } of [document, found.find(isIt), listed.find(isIt)])
        assert.deepEqual([solve, completeness], ['solved', solution.completeness])
      assert.equal(solution.completeness.isComplete, true)
      const [nodeId, { ports, durationMs }] = Object.entries(solution.nodes).find(([id]) =>
        Object.values(content.nodes[id]!.ports).some(({ name }) => name === 'Point'),
      ) as [string, { ports: Record<string, object>; durationMs: number }]
      assert.ok(durationMs >= 0)
      const [portId, summary] = Object.entries(ports)[0]!
      assert.deepEqual(summary, { branches: 1, values: 3, nulls: 0 })

      const port = `${path}/solutions/${solution.id}/nodes/${nodeId}/ports/${portId}`
      const first = await ann.get(`${port}?limit=2`)
      assert.deepEqual([first.json.next, first.json.firstIndex, first.json.values], [2, 0, 3])
      const second = await ann.get(`${port}?from=2&limit=2`)
      assert.deepEqual([second.json.next, second.json.firstIndex], [null, 2])
      const values = [first, second].flatMap(({ json }) =>
        json.tree.branches.flatMap((branch: DataBranch) => branch.values),
      )
      assert.deepEqual(
        values.map(({ type }: { type: string }) => type),
        ['point', 'point', 'point'],
      )
    })

    test('[EDIT-3, EDIT-7] given geometry of every kind, when the scene and that of the player are read, then it contains each value, with its position and colour, and the other one the same at nearly the same place', async () => {
      const content = drawn()
      const { ann, path, solve, address } = await startEditor(content)
      const isShownFirst = ({ role, nodeInstanceId, colours }: SceneBatch) =>
        role !== 'isocurve' && (colours || content.nodes[nodeInstanceId]!.status.isPreviewed)
      const { solution } = await solve()
      const scene = await readSceneOf(ann, `${address}${APP_PREFIX}${path}/solutions/${solution.id}/scene`)
      assert.deepEqual([scene.truncated, scene.skipped], [false, 0])
      const at = (role: string) => scene.batches.filter((batch) => batch.role === role)
      const player = await fetch(`${address}${APP_PREFIX}${path}/solutions/${solution.id}/player-scene`, {
        headers: { cookie: ann.cookie },
      })
      const compact = readCompactScene(new Uint8Array(await player.arrayBuffer()))
      assert.deepEqual(
        compact.batches.map(({ role }) => role),
        scene.batches.filter(isShownFirst).map(({ role }) => role),
      )
      const [points] = at('point')
      assert.ok(points)
      const [x, y, z] = scene.floats(points.positions)
      const [ox, oy, oz] = scene.origin
      assert.deepEqual([x! + ox, y! + oy, z! + oz], [1_000_000, 0, 0])
      assert.deepEqual(points.branches, [{ path: '{0;0}', values: 3 }])
      const starts = scene.integers(points.starts)
      assert.deepEqual([...starts], [0, 1, 2, 3])
      assert.deepEqual(findSceneValue(points, starts, 2), { path: '{0;0}', index: 2 })
      const [circles] = at('curve')
      assert.equal(scene.integers(circles!.starts).length, 4)
      const [bodies] = at('body')
      assert.equal(scene.floats(bodies!.normals!).length, scene.floats(bodies!.positions).length)
      assert.ok(Math.max(...scene.integers(bodies!.indices!)) < bodies!.positions.length / 3)
      assert.deepEqual([...new Set(scene.integers(bodies!.colours!))], [0xff0000ff])
      assert.ok(at('edge').length > 0)
    })

    test('[EDIT-1, EDIT-4] given a solution, when the document is solved again, then the old one can still be read, and the new one is shown', async () => {
      const content = points()
      const { ann, path, solve } = await startEditor(content)
      const first = (await solve()).solution
      const again = await ann.request('POST', `${path}/solves`)
      assert.ok(['queued', 'running', 'solved'].includes(again.json.solve))
      const second = await until('there is a newer solution', async () => {
        const { solution } = (await ann.get(`${path}/solution`)).json
        return solution.id !== first.id && solution
      })
      for (const { id } of [first, second]) {
        assert.equal((await ann.get(`${path}/solutions/${id}/scene`)).status, 200)
      }
    })
  })
}

const startEditor = shareServer()

test('[EDIT-2, EDIT-3] given ids that no solution, node or port has, when they are requested, then 404', async () => {
  const { ann, path, solve, fixtures, team } = await startEditor(points())
  const { solution } = await solve()
  const other = await fixtures.document(team)
  for (const [address, status] of [
    [`${path}/solutions/sol_0000000000000000/scene`, 404],
    [`${path}/solutions/%00/scene`, 404],
    [`/documents/${other}/solutions/${solution.id}/scene`, 404],
    [`${path}/solutions/${solution.id}/nodes/x/ports/y`, 404],
    [`${path}/solutions/${solution.id}/nodes/__proto__/ports/constructor`, 404],
    [`${path}/solutions/${solution.id}/nodes/x/ports/y?limit=10001`, 400],
    [`${path}/solutions/${solution.id}/nodes/x/ports/y?from=-1`, 400],
  ] as const) {
    assert.equal((await ann.get(address)).status, status, address)
  }
})

test('[EDIT-5] given a team without credits, when a solve is requested, then it is rejected, and the status of the document is unchanged', async (t) => {
  const { fixtures, team, signIn } = await startWebApp(t)
  const ann = await signIn('Ann', 'member')
  const path = `/documents/${await fixtures.document(team)}`
  assert.equal((await ann.request('POST', `${path}/solves`)).status, 402)
  assert.equal((await ann.get(path)).json.document.solve, 'never')
})

test('[EDIT-6] given a solved document, when a viewer exports it from the editor, then the link works without a session, until they leave the team', async () => {
  const { path, solve, signIn, team, address } = await startEditor(points())
  await solve()
  const ben = await signIn('Ben', 'viewer')
  const exportDocument = (body: object) => ben.request('POST', `${path}/exports`, body)
  for (const body of [{ format: '.gh' }, { format: '.3dm', modelerVersion: '7' }]) {
    const { status, json } = await exportDocument(body)
    assert.equal(status, 200, JSON.stringify(json))
    assert.ok(json.export.url.startsWith(`${address}/downloads/`))
    const file = await fetch(json.export.url)
    assert.deepEqual([file.status, (await file.arrayBuffer()).byteLength], [200, json.export.size])
  }
  assert.equal((await exportDocument({ format: '.gh', modelerVersion: '7' })).status, 400)
  const { url } = (await exportDocument({ format: '.gh' })).json.export
  assert.equal((await ben.request('DELETE', `/teams/${team.id}/members/${ben.userId}`)).status, 204)
  assert.equal((await fetch(url)).status, 410)
})

test('[EDIT-6] given a link, when its document is in the bin, then it does not work; when its holder leaves the team, then neither, even if they are in another team', async () => {
  const { ann, path, solve, signIn, team, fixtures, database } = await startEditor(points())
  await solve()
  const other = await fixtures.team('Other')
  const ben = await signIn('Ben', 'viewer')
  await changeTeam(database, other.key, (change) => setMember(change, ben.userId, 'owner'))
  const { url } = (await ben.request('POST', `${path}/exports`, { format: '.gh' })).json.export
  const status = async () => (await fetch(url)).status
  assert.equal((await ann.request('DELETE', path)).status, 204)
  assert.equal(await status(), 410)
  const [item] = (await ann.get(`/teams/${team.id}/bin`)).json.items
  assert.equal((await ann.request('POST', `/bin/${item.id}/restore`)).status, 200)
  assert.equal(await status(), 200)
  assert.equal((await ben.request('DELETE', `/teams/${team.id}/members/${ben.userId}`)).status, 204)
  assert.equal(await status(), 410)
})

/** Points far away, circles, and cylinders that are drawn in red. */
const drawn = (): GraphContent =>
  createGraph('Drawn', ({ group, slider, add, paint, panel }) => {
    group('All', 'inputs')
    const series = add(
      'Series',
      { Start: slider('Start', 1_000_000, { from: 0, to: 2_000_000 }), Step: 5, Count: 3 },
      'Numbers',
    )
    const centres = add('Construct Point', [series], 'Points')
    const circles = add('Circle', { Plane: centres, Radius: 2 }, 'Circles')
    const bodies = add('Extrude', { Base: circles, Direction: add('Unit Z', { Factor: 3 }, 'Up') }, 'Bodies')
    paint('Red', '#ff0000ff', bodies)
    panel('Points', centres)
  })

async function readSceneOf({ cookie }: Browser, address: string): Promise<Scene> {
  const response = await fetch(address, { headers: { cookie } })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/octet-stream')
  return readScene(await response.arrayBuffer())
}
