import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DocumentId, GraphContent } from '@meadow/contract'
import { readModelSummary, walkModel } from '@meadow/model'
import { changeTeam } from '../../team/team-transaction.ts'
import { setUnits } from '../../team/teams.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createGraph } from '../../testing/graph/create-graph.ts'
import { numbers, tubes } from '../solutions/testing/graphs.ts'
import { follow, sha256, startExports } from './testing/start-exports.ts'

/** A group in a group, and posts that are seen in red only: their own preview is off. */
function painted(): GraphContent {
  const graph = createGraph('Painted', ({ group, add, paint }) => {
    group('Feet', 'inputs')
    const feet = add('Construct Point', [add('Series', { Count: 2 }, 'Numbers')], 'Points')
    group('Posts', 'geometry')
    const posts = add('Line SDL', [feet, add('Unit Z', [], 'Up'), 3], 'Posts')
    const tops = add('End Points', [posts], 'Ends')
    paint('Red', '#ff000080', posts)
    paint('Red too', '#ff000080', tops.out('End'))
  })
  for (const node of Object.values(graph.nodes)) {
    if (['Points', 'Posts'].includes(node.nickName)) node.status.isPreviewed = false
  }
  const [feet, posts] = graph.groups
  Object.assign(feet!, { colour: '#11223344' })
  Object.assign(posts!, { colour: '#ff8000ff', groupIds: [feet!.id] })
  return graph
}

const VERSIONS = ['7', '8'] as const

for (const kind of FEATURE_DATABASES) {
  describe(`models on ${kind.name}`, kind.options, () => {
    async function start(t: Parameters<typeof startExports>[0]) {
      const server = await startExports(t, kind)
      const { exportOf, database, get, team } = server
      async function download(id: DocumentId, version: (typeof VERSIONS)[number]) {
        const { url, solutionId } = await exportOf(id, `format=.3dm&modelerVersion=${version}`)
        return { bytes: (await follow(url)).bytes, solutionId }
      }
      return {
        ...server,
        download,
        setUnits: (units: 'feet' | 'millimeters') =>
          changeTeam(database, team.key, (change) => setUnits(change, units)),
        /** The unit of the solution as BIM objects. */
        readUnits: async (id: DocumentId) =>
          (await get(`/documents/${id}/solution?format=bimz`)).json.units as string,
        forgetFiles: () => database.transaction((write) => write.deleteFrom('export_file').execute()),
      }
    }

    test('[EXP-25] given a team with a unit, when documents are solved and exported, then files and solutions have it, and keep it when the team takes another', async (t) => {
      const { document, solve, download, setUnits, readUnits } = await start(t)
      await setUnits('feet')
      for (const content of [tubes(), numbers()]) {
        const id = await document(content)
        await solve(id)
        const check = async (units: string) => {
          for (const version of VERSIONS) {
            const { facts } = readModelSummary((await download(id, version)).bytes)
            assert.equal(facts.units?.name, units)
          }
          assert.equal(await readUnits(id), units)
        }
        await check('feet')
        await setUnits('millimeters')
        await check('feet')
        await solve(id)
        await check('millimeters')
        await setUnits('feet')
      }
    })

    test('[EXP-25] given a solution of an earlier version without geometry, when it is exported, then the file has no unit', async (t) => {
      const { document, solve, download, setUnits, database } = await start(t)
      await setUnits('feet')
      const id = await document(numbers())
      await solve(id)
      await database.transaction((write) => write.updateTable('solve').set({ units: null }).execute())
      assert.equal(readModelSummary((await download(id, '8')).bytes).facts.units?.name, 'none')
    })

    test('[EXP-26, EXP-27] given groups, hidden nodes and coloured previews, when the solution is exported, then its layers are the groups and nodes in the groups’ colours, and what is previewed has the colour and one material', async (t) => {
      const { document, solve, download } = await start(t)
      const id = await document(painted())
      await solve(id)
      for (const version of VERSIONS) {
        const { bytes } = await download(id, version)
        const { layers, materials } = readModelSummary(bytes).facts
        assert.deepEqual(
          layers.map(({ path, colour, visible, objects }) => [path, colour, visible, objects]),
          [
            ['Posts', '#ff8000', true, 0],
            ['Posts::Feet', '#112233', true, 0],
            ['Posts::Feet::Points', '#112233', false, 2],
            ['Posts::Posts', '#ff8000', true, 2],
            ['Posts::Ends', '#ff8000', true, 4],
          ],
        )
        assert.deepEqual(materials, ['#ff0000, 50% transparent'])
        const red = { type: 'colour', red: 255, green: 0, blue: 0, alpha: 128 }
        assert.deepEqual(
          [...walkModel(bytes)].map(({ name, colour, materialIndex }) => [name, colour, materialIndex]),
          [
            ['Point {0;0}[0]', undefined, undefined],
            ['Point {0;0}[1]', undefined, undefined],
            ['Line {0;0}[0]', red, 0],
            ['Line {0;0}[1]', red, 0],
            ['Start {0;0}[0]', undefined, undefined],
            ['Start {0;0}[1]', undefined, undefined],
            ['End {0;0}[0]', red, 0],
            ['End {0;0}[1]', red, 0],
          ],
        )
      }
    })

    test('[EXP-5] given solutions with and without geometry, when their files are made again, then the same bytes', async (t) => {
      const { document, solve, download, forgetFiles } = await start(t)
      for (const content of [numbers(), painted()]) {
        const id = await document(content)
        const solution = await solve(id)
        for (const version of VERSIONS) {
          const first = await download(id, version)
          assert.equal(first.solutionId, solution)
          await forgetFiles()
          assert.equal(sha256((await download(id, version)).bytes), sha256(first.bytes))
        }
      }
    })
  })
}
