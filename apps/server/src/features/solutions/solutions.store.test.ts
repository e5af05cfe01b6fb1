import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { createPublicId } from '../../platform/public-ids.ts'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createSolutionStore } from './solutions.store.ts'

type State = 'queued' | 'running' | 'failed' | 'solved'

const ENDED = { ended_at: 1, reason: 'It broke.', duration_ms: 2001, credit_tenths: 21 }
const CLAIMED = { claimed_by: 'test', lease_until: 0, credit_tenths: 1 }
const VALUES = { gzip: 'a'.repeat(64), zstd: 'b'.repeat(64), bytes: 10 }

/** A row of a solve in this state. */
async function put(database: Database, team: TeamKey, document: DocumentKey, state: State, facts = {}) {
  const id = createPublicId('sol')
  const values = { values_gzip: VALUES.gzip, values_zstd: VALUES.zstd, values_bytes: VALUES.bytes }
  await database.transaction((write) =>
    write
      .insertInto('solve')
      .values({
        public_id: id,
        document_id: document,
        team_id: team,
        seq: 1,
        asked_at: 0,
        state,
        ...(state === 'running' ? CLAIMED : ENDED),
        ...(state === 'solved' ? values : {}),
        ...facts,
      })
      .execute(),
  )
  return id
}

for (const kind of DATABASES) {
  describe(`solutions on ${kind.name}`, kind.options, () => {
    test('[C3, D25] given a document, then its status is that of its most recent solve, or never solved', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      const { key, id } = await document()
      const solutions = createSolutionStore(database)
      assert.deepEqual(await solutions.find(team, id), { document: key, state: 'never' })
      await put(database, team, key, 'solved')
      await put(database, team, key, 'failed')
      assert.deepEqual(await solutions.find(team, id), {
        document: key,
        state: 'failed',
        reason: 'It broke.',
      })
      await put(database, team, key, 'running')
      assert.deepEqual(await solutions.find(team, id), { document: key, state: 'running' })
      await put(database, team, key, 'queued')
      assert.deepEqual(await solutions.find(team, id), { document: key, state: 'running' })
    })

    test('[C2] given a solved document, then the results of its most recent solve are found', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      const { key, id } = await document()
      const solutions = createSolutionStore(database)
      await put(database, team, key, 'solved')
      const model = { model: 'c'.repeat(64), model_bytes: 5, model_objects: 2, units: 'meters' }
      const summary = 'd'.repeat(64)
      const counts = { isComplete: false, nodes: 3, solved: 1, failed: 0, unsupported: 1, unknown: 1 }
      const completeness = JSON.stringify({ ...counts, causes: [{ cause: 'Scripts are not run', nodes: 1 }] })
      const solution = await put(database, team, key, 'solved', { ...model, summary, completeness })
      const read = async () => {
        const status = await solutions.find(team, id)
        assert.equal(status?.state, 'solved')
        return status.solution
      }
      const before = await read()
      assert.deepEqual(before, {
        key: before.key,
        id: solution,
        document: key,
        documentId: id,
        team,
        values: VALUES,
        model: { digest: 'c'.repeat(64), bytes: 5, objects: 2 },
        units: 'meters',
        summary,
        endedAt: ENDED.ended_at,
        durationMs: ENDED.duration_ms,
        creditTenths: ENDED.credit_tenths,
        completeness: counts,
        geometry: undefined,
        bimz: undefined,
        scene: undefined,
      })
      const version = () => database.read.selectFrom('team').select('version').executeTakeFirst()
      const was = await version()
      for (const form of ['geometry', 'bimz', 'scene'] as const) {
        const forms = { gzip: form, zstd: form, bytes: 7 }
        await solutions.saveBody(before.key, form, forms)
        assert.deepEqual((await read())[form], forms)
      }
      assert.deepEqual(await version(), was)
    })

    test('[D27] given solves that failed or run, then an export is of the most recent one that succeeded', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      const { key, id } = await document()
      const solutions = createSolutionStore(database)
      const stateOf = async () => (await solutions.findExportable(team, id))?.state
      assert.equal(await stateOf(), 'never')
      await put(database, team, key, 'failed')
      assert.equal(await stateOf(), 'failed')
      await put(database, team, key, 'running')
      assert.equal(await stateOf(), 'running')
      await put(database, team, key, 'solved')
      const second = await put(database, team, key, 'solved')
      await put(database, team, key, 'failed')
      await put(database, team, key, 'queued')
      const status = await solutions.findExportable(team, id)
      assert.equal(status?.state === 'solved' && status.solution.id, second)
    })

    test('[C4, D5] given an id that is missing, of another team, or malformed, then nothing is found', async (t) => {
      const database = await kind.open(t)
      const { team, root } = await givenTeam(database)
      const other = await givenTeam(database, 'Other')
      const foreign = await other.document()
      await put(database, other.team, foreign.key, 'solved')
      const solutions = createSolutionStore(database)
      for (const id of ['doc_0000000000000000', foreign.id, root.id, '', '\0', 'x'.repeat(9_999)]) {
        assert.equal(await solutions.find(team, id), undefined, id)
        assert.equal(await solutions.findExportable(team, id), undefined, id)
      }
    })
  })
}
