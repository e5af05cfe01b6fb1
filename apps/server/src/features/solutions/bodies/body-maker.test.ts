import assert from 'node:assert/strict'
import { appendFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { DocumentId, SolutionId } from '@meadow/contract'
import { JobFailure, type JobFailureKind, type OnReport } from '@meadow/processes'
import { SemaphoreFullError } from '../../../platform/concurrency/fair-semaphore.ts'
import type { DocumentKey, SolveKey, TeamKey } from '../../../platform/database/tables.ts'
import { createLog } from '../../../platform/log.ts'
import type { DerivedForm, StoredForms, StoredSolution } from '../solutions.store.ts'
import { createBodyMaker } from './body-maker.ts'
import type { BodyRequest, MadeBody } from './body-pool.ts'

const FORMS = { gzip: 'g', zstd: 'z', bytes: 1 }

const solution = (facts: Partial<StoredSolution> = {}): StoredSolution => ({
  key: 1 as SolveKey,
  id: 'sol_1' as SolutionId,
  document: 1 as DocumentKey,
  documentId: 'doc_1' as DocumentId,
  team: 1 as TeamKey,
  values: { gzip: 'vg', zstd: 'vz', bytes: 2 },
  model: { digest: 'm', bytes: 3, objects: 4 },
  units: 'none',
  geometry: undefined,
  bimz: undefined,
  scene: undefined,
  summary: null,
  endedAt: 0,
  durationMs: 1,
  creditTenths: 1,
  completeness: null,
  ...facts,
})

const failure = (kind: JobFailureKind, message: string) =>
  new JobFailure(kind, message, { step: '', durationMs: 1, cpuMs: 1, detail: '' })

/** A maker with fake processes, which respond as the test wants, and a store in memory. */
function createMaker(response: (request: BodyRequest, report: OnReport) => Promise<MadeBody>) {
  const requests: BodyRequest[] = []
  const saved: [SolveKey, DerivedForm, StoredForms][] = []
  const maker = createBodyMaker({
    pool: {
      run(request, { onReport = () => {} }) {
        requests.push(request)
        return response(request, onReport)
      },
    },
    store: { saveBody: async (...body) => void saved.push(body) },
    contents: { find: async () => undefined },
    spoolFolder: tmpdir(),
    log: createLog('silent'),
  })
  return { maker, requests, saved }
}

test('[C2] given concurrent requests, then a body is made once, and saved', async () => {
  const { promise, resolve } = Promise.withResolvers<MadeBody>()
  const { maker, requests, saved } = createMaker(() => promise)
  const responses = Array.from({ length: 20 }, (_, i) => maker.get(solution(), i % 2 ? 'geometry' : 'bimz'))
  resolve({ forms: FORMS })
  for (const response of await Promise.all(responses))
    assert.deepEqual(response, { forms: FORMS, isWhole: true })
  assert.deepEqual(requests.map(({ form }) => form).sort(), ['bimz', 'geometry'])
  assert.deepEqual(saved.map(([, form]) => form).sort(), ['bimz', 'geometry'])
})

test('[C4] given a large body, then requests get its first bytes while it is made, and later ones all of it from the store', async () => {
  const { promise, resolve } = Promise.withResolvers<MadeBody>()
  const { maker } = createMaker(async ({ growing }, report) => {
    await writeFile(growing!, 'first ')
    report({ bytes: 6 })
    const made = await promise
    await appendFile(growing!, 'last')
    return made
  })
  const early = [maker.getEarly(solution(), 'bimz'), maker.getEarly(solution(), 'bimz')]
  const reads = early.map(async (body) => {
    const found = await body
    assert.ok(found && 'growing' in found && found.isWhole)
    await using reader = found.growing.open()!
    let text = ''
    for await (const chunk of reader.read()) {
      text += chunk
      // The rest is made when the beginning has been read.
      resolve({ forms: FORMS })
    }
    return text
  })
  assert.deepEqual(await Promise.all(reads), ['first last', 'first last'])
  await maker.get(solution(), 'bimz')
  assert.deepEqual(await maker.getEarly(solution(), 'bimz'), { forms: FORMS, isWhole: true })
})

test('[C4, D26] given a model file that crashes the process after bytes were sent, then they are not followed by others', async () => {
  const { maker, requests } = createMaker(async (_, report) => {
    report({ bytes: 0 })
    throw failure('memory', 'It took more than 1 MB of memory.')
  })
  const found = await maker.getEarly(solution(), 'bimz')
  assert.ok(found && 'growing' in found)
  await assert.rejects(found.found, /1 MB/)
  assert.equal(found.growing.open(), undefined)
  assert.equal(requests.length, 1)
})

test('[C4, D26] given a model file that crashed the process after bytes were sent, then later requests get no geometry, and a BIM document without', async () => {
  const { maker, requests, saved } = createMaker(async ({ model }, report) => {
    report({ bytes: 0 })
    if (model) throw failure('time', 'It took longer than 1 s.')
    return { forms: FORMS }
  })
  for (const form of ['bimz', 'geometry'] as const) {
    const found = await maker.getEarly(solution(), form)
    assert.ok(found && 'growing' in found)
    await assert.rejects(found.found, /1 s/)
  }
  const second = await maker.getEarly(solution(), 'bimz')
  assert.ok(second && 'growing' in second)
  assert.equal(second.isWhole, false)
  assert.deepEqual(await second.found, { forms: FORMS, isWhole: false })
  assert.equal(await maker.getEarly(solution(), 'geometry'), undefined)
  assert.deepEqual(
    requests.map(({ model }) => model !== undefined),
    [true, true, false],
  )
  assert.deepEqual(saved, [])
})

for (const [name, error] of [
  ['a process that is killed', failure('killed', 'Its process was ended from outside.')],
  [
    'a full disk',
    new JobFailure('threw', 'no room', { step: '', durationMs: 1, cpuMs: 1, detail: '', code: 'ENOSPC' }),
  ],
] as const)
  test(`[C4] given ${name} while a body is made, then that request fails, and the next one gets the body`, async () => {
    let isFirst = true
    const { maker } = createMaker(async (_, report) => {
      if (!isFirst) return { forms: FORMS }
      isFirst = false
      report({ bytes: 0 })
      throw error
    })
    const ofValues = solution({ model: undefined })
    const found = await maker.getEarly(ofValues, 'bimz')
    assert.ok(found && 'growing' in found)
    await assert.rejects(found.found, error)
    assert.deepEqual(await maker.getEarly(ofValues, 'bimz'), { forms: FORMS, isWhole: true })
  })

test('given a body that was made before, or no model to make it from, then the pool is not used', async () => {
  const { maker, requests } = createMaker(async () => ({ forms: FORMS }))
  const known = { forms: FORMS, isWhole: true }
  assert.deepEqual(await maker.get(solution({ geometry: FORMS }), 'geometry'), known)
  assert.deepEqual(await maker.get(solution({ bimz: FORMS }), 'bimz'), known)
  assert.equal(await maker.get(solution({ model: undefined }), 'geometry'), undefined)
  assert.deepEqual(requests, [])
})

test('[C4] given a model file without readable geometry, then that is remembered for a while, and not saved', async () => {
  const { maker, requests, saved } = createMaker(async ({ form }) => ({
    forms: form === 'bimz' ? FORMS : undefined,
    fault: 'The model file is missing.',
  }))
  for (let i = 0; i < 3; i++) {
    assert.equal(await maker.get(solution(), 'geometry'), undefined)
    assert.deepEqual(await maker.get(solution(), 'bimz'), { forms: FORMS, isWhole: false })
  }
  assert.equal(requests.length, 2)
  assert.deepEqual(saved, [])
})

test('[C4, D26] given a model file that crashes the process, then no geometry, and a BIM document without', async () => {
  const { maker, requests } = createMaker(async ({ model }) => {
    if (model) throw failure('memory', 'It took more than 1 MB of memory.')
    return { forms: FORMS }
  })
  assert.equal(await maker.get(solution(), 'geometry'), undefined)
  assert.deepEqual(await maker.get(solution(), 'bimz'), { forms: FORMS, isWhole: false })
  assert.equal(requests.length, 3)
})

test('given values that cannot be read, then making a BIM document fails, and is not tried again at once', async () => {
  const { maker, requests } = createMaker(() => Promise.reject(failure('threw', 'The values are missing.')))
  for (let i = 0; i < 3; i++) await assert.rejects(maker.get(solution({ model: undefined }), 'bimz'))
  assert.equal(requests.length, 1)
})

test('[PRC-13] given a process that is killed before it reports, when a body is made, then it is made once more, and no body is taken for unreadable', async () => {
  const { maker, requests } = createMaker(async () => {
    if (requests.length % 3 !== 0) throw failure('killed', 'Its process was ended from outside.')
    return { forms: FORMS }
  })
  const ofValues = solution({ model: undefined })
  await assert.rejects(maker.get(ofValues, 'bimz'), { kind: 'killed' })
  assert.deepEqual(await maker.get(ofValues, 'bimz'), { forms: FORMS, isWhole: true })
  await assert.rejects(maker.get(solution(), 'geometry'), { kind: 'killed' })
  assert.equal(requests.length, 5)
})

test('given a full queue, when a body is requested, then the request fails, and the next one tries again', async () => {
  let isFull = true
  const { maker, requests } = createMaker(async () => {
    if (isFull) throw new SemaphoreFullError(1)
    return { forms: FORMS }
  })
  await assert.rejects(maker.get(solution(), 'geometry'), { name: 'SemaphoreFullError' })
  isFull = false
  assert.deepEqual(await maker.get(solution(), 'geometry'), { forms: FORMS, isWhole: true })
  assert.equal(requests.length, 2)
})
