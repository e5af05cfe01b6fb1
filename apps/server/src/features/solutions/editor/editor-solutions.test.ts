import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { DataBranch, GraphContent } from '@meadow/contract'
import { findSceneValue, readScene } from '@meadow/contract/web'
import { DATABASES, type TestDatabase } from '../../../testing/databases.ts'
import { type Browser, startWebApp } from '../../../testing/start-web-app.ts'
import { until } from '../../../testing/until.ts'
import { longList, points } from '../../solves/testing/graphs.ts'

async function startEditor(t: TestContext, content: GraphContent, kind?: TestDatabase) {
  const app = await startWebApp(t, kind, { MEADOW_SOLVE_WORKERS: '1' })
  const { catalogue, given, team, signIn } = app
  await catalogue.changeTeam(team.key, (change) => change.addCredits(100))
  const id = await given.document(team, { content })
  const ann = await signIn('Ann', 'member')
  const path = `/documents/${id}`
  const solve = async (browser: Browser = ann) => {
    const asked = await browser.ask('POST', `${path}/solves`)
    assert.equal(asked.status, 202, asked.text)
    return until('it is solved', async () => {
      const { json } = await ann.get(`${path}/solution`)
      return (json.solve === 'solved' || json.solve === 'failed') && json
    })
  }
  return { ...app, ann, id, path, solve }
}

for (const kind of DATABASES) {
  describe(`solutions in the editor on ${kind.name}`, kind.options, () => {
    test('[EDIT-1, EDIT-2, EDIT-3] given a document that was never solved, when it is solved, then the editor has numbers, values and a scene', async (t) => {
      const content = points()
      const { ann, path, solve } = await startEditor(t, content, kind)
      assert.deepEqual((await ann.get(`${path}/solution`)).json, {
        solve: 'never',
        reason: null,
        solution: null,
      })
      const { solution } = await solve()
      assert.equal(solution.hasGeometry, true)
      assert.ok(solution.credits >= 1)
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
  })
}
