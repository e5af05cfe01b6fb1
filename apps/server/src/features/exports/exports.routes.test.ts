import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { API_ERRORS, Completeness, Export } from '@meadow/contract'
import { readArchiveVersion, walkModel } from '@meadow/model'
import Value from 'typebox/value'
import { changeTeam } from '../../team/team-transaction.ts'
import { setHost } from '../../team/teams.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { DATABASES, FEATURE_DATABASES } from '../../testing/databases.ts'
import { numbers, tubes } from '../solutions/testing/graphs.ts'
import { scripted } from '../solves/testing/graphs.ts'
import { follow, sha256, startExports } from './testing/start-exports.ts'

for (const kind of DATABASES) {
  describe(`exports on ${kind.name}`, kind.options, () => {
    test('[D29, EXP-2] given a solution, when it is exported for each modeler version, then an archive that the version opens, with its version in the header', async (t) => {
      const { document, solve, readRow, blobs, requestExport } = await startExports(t, kind)
      const id = await document(tubes(), 'Türme 7')
      const solution = await readRow(await solve(id))
      const model = (await blobs.read(solution.model!))!
      for (const [query, modelerVersion, archiveVersion] of [
        ['&modelerVersion=7', 7, 7],
        ['&modelerVersion=8', 8, 8],
        ['&modelerVersion=9', 9, 8],
        ['', 9, 8],
      ] as const) {
        const { status, json } = await requestExport(id, `format=.3dm${query}`)
        assert.equal(status, 200)
        const [fault] = Value.Errors({ Completeness }, Export, json.export)
        assert.equal(fault, undefined)
        const { url, expiresAt, ...rest } = json.export
        const { bytes } = await follow(url)
        assert.deepEqual(rest, {
          format: '.3dm',
          modelerVersion,
          archiveVersion,
          fileName: 'Türme 7.3dm',
          size: bytes.length,
          sha256: sha256(bytes),
          solutionId: solution.public_id,
          completeness: {
            isComplete: true,
            valuesComplete: true,
            nodes: 8,
            solved: 8,
            failed: 0,
            unsupported: 0,
            unknown: 0,
            unsupportedWithoutOutputs: 0,
          },
          warnings: [],
        })
        assert.equal(readArchiveVersion(bytes), archiveVersion * 10)
        assert.deepEqual(listObjects(bytes), listObjects(model))
      }
    })

    test('[EXP-24, D34] given a partial solution, when it is exported, then the completeness, and a warning with the model', async (t) => {
      const { document, solve, requestExport } = await startExports(t, kind)
      const id = await document(scripted())
      await solve(id)
      for (const query of ['format=.3dm', 'format=.3dm&modelerVersion=7', 'format=.gh']) {
        const { json } = await requestExport(id, query)
        const { completeness, warnings } = json.export
        assert.deepEqual(
          [completeness.isComplete, completeness.unsupported, completeness.unknown],
          [false, 1, 1],
        )
        assert.equal(
          warnings.some((warning: string) => /^The solution is partial: 2 of \d nodes/.test(warning)),
          query !== 'format=.gh',
        )
      }
    })

    test('[D28, EXP-4, EXP-5] given an export, when it is requested again, then it is not made again, until there is a newer solution', async (t) => {
      const { document, solve, exportOf, readFiles } = await startExports(t, kind)
      const id = await document(tubes())
      const first = await solve(id)
      const once = await exportOf(id, 'format=.3dm')
      const again = await exportOf(id, 'format=.3dm&modelerVersion=8')
      assert.equal(again.sha256, once.sha256)
      const [file, ...others] = await readFiles()
      assert.deepEqual(others, [])
      assert.equal(file!.digest, once.sha256)
      assert.equal(once.solutionId, first)
      const second = await solve(id)
      const newer = await exportOf(id, 'format=.3dm')
      assert.equal(newer.solutionId, second)
      assert.notEqual(newer.sha256, once.sha256)
      assert.equal((await readFiles()).length, 2)
      assert.equal(sha256((await follow(once.url)).bytes), once.sha256)
    })

    test('[EXP-4] given an export whose file is missing, when it is requested, then it is made again', async (t) => {
      const { document, solve, exportOf, blobPath } = await startExports(t, kind)
      const id = await document(tubes())
      await solve(id)
      const once = await exportOf(id, 'format=.3dm')
      await rm(blobPath(once.sha256))
      const again = await exportOf(id, 'format=.3dm')
      assert.equal(again.sha256, once.sha256)
      assert.equal((await follow(again.url)).status, 200)
    })

    test('[EXP-12, D6] given HEAD, when an export is requested, then nothing is made, and the headers are those of GET', async (t) => {
      const { document, queue, lease, solveLeased, requestExport, readFiles } = await startExports(t, kind)
      const id = await document(tubes())
      const head = async (query = 'format=.3dm') => {
        const { status, text, headers } = await requestExport(id, query, { method: 'HEAD' })
        assert.equal(text, '')
        return { status, headers }
      }
      assert.equal((await head()).status, 409)
      await queue(id)
      assert.equal((await head()).status, 202)
      await solveLeased(await lease(id))
      assert.equal((await head('format=3dm')).status, 400)
      for (const query of ['format=.gh', 'format=.3dm', 'format=.3dm&modelerVersion=8']) {
        const { status, headers } = await head(query)
        assert.equal(status, 200)
        assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
        assert.equal(headers.get('cache-control'), 'private, no-cache')
      }
      assert.deepEqual(await readFiles(), [])
      const { headers: expected } = await requestExport(id, 'format=.3dm')
      const { headers } = await head()
      assert.equal(headers.get('content-length'), expected.get('content-length'))
      assert.ok(headers.has('etag'))
    })
  })
}

for (const kind of FEATURE_DATABASES) {
  describe(`what surrounds exports, on ${kind.name}`, kind.options, () => {
    test('[HTTP-11] given no base URL, when an export is asked for under a foreign Host, then the link leads to where the request arrived, and under the host name of the team to that', async (t) => {
      const { document, solve, requestExport, address, secret, team, database } = await startExports(t, kind)
      const id = await document(numbers())
      await solve(id)
      const made = await requestExport(id, 'format=.gh')
      assert.ok(made.json.export.url.startsWith(`${address}/downloads/`))
      await changeTeam(database, team.key, (change) => setHost(change, 'acme.example.org'))
      for (const [host, expected] of [
        ['evil.example', new URL(address).host],
        ['acme.example.org:81', 'acme.example.org:81'],
      ]) {
        const headers = { authorization: `Bearer ${secret}`, host }
        const { bytes } = await follow(`${address}/api/v1/documents/${id}/export?format=.gh`, headers)
        assert.equal(new URL(JSON.parse(bytes.toString()).export.url).host, expected)
      }
    })

    test('[AUD-5] given a script that asks for an export, then the event has its address, its token and the id of its request', async (t) => {
      const { document, solve, requestExport, database } = await startExports(t, kind)
      const id = await document(numbers())
      await solve(id)
      const { status } = await requestExport(id, 'format=.gh', { headers: { 'x-request-id': 'mine' } })
      assert.equal(status, 200)
      const { actor_id, token, ...event } = await database.read
        .selectFrom('audit_event')
        .where('action', '=', 'export.made')
        .where('thing_id', '=', id)
        .select(['actor_kind', 'actor_id', 'token', 'address', 'request'])
        .executeTakeFirstOrThrow()
      assert.deepEqual(event, { actor_kind: 'token', address: '127.0.0.1', request: 'mine' })
      assert.ok(token !== null && actor_id === token)
    })

    test('[EXP-3] given a solution without geometry, when it is exported, then files without objects', async (t) => {
      const { document, solve, exportOf } = await startExports(t, kind)
      const id = await document(numbers())
      await solve(id)
      for (const [version, archive] of [
        [7, 70],
        [8, 80],
        [9, 80],
      ]) {
        const { url } = await exportOf(id, `format=.3dm&modelerVersion=${version}`)
        const { bytes } = await follow(url)
        assert.equal(readArchiveVersion(bytes), archive)
        assert.deepEqual([...walkModel(bytes)], [])
      }
    })

    test('[EXP-3] given a solution whose model file could not be written, when it is exported, then 500 says so', async (t) => {
      const { document, solve, database, requestExport } = await startExports(t, kind)
      const id = await document(numbers())
      const solution = await solve(id)
      await database.transaction((write) =>
        write
          .updateTable('solve')
          .set({ model_fault: 'It broke.' })
          .where('public_id', '=', solution)
          .execute(),
      )
      for (const version of [7, 8, 9]) {
        const { status, json } = await requestExport(id, `format=.3dm&modelerVersion=${version}`)
        assert.deepEqual([status, json], [500, { error: API_ERRORS.model_missing.sentence }])
      }
    })

    test('[EXP-11] given a damaged model file, when it is exported, then 500 with a sentence, and other exports work', async (t) => {
      const { document, solve, readRow, blobPath, requestExport, exportOf, readFiles } = await startExports(
        t,
        kind,
      )
      const [damaged, whole] = [await document(tubes(), 'A'), await document(tubes(), 'B')]
      const { model } = await readRow(await solve(damaged))
      await solve(whole)
      await writeFile(blobPath(model!), Buffer.alloc(1000))
      const responses = await Promise.all([1, 2, 3].map(() => requestExport(damaged, 'format=.3dm')))
      for (const { status, json } of responses) {
        assert.deepEqual([status, json], [500, { error: API_ERRORS.export_not_made.sentence }])
      }
      assert.deepEqual(await readFiles(), [])
      assert.equal((await follow((await exportOf(whole, 'format=.3dm')).url)).status, 200)
    })

    test('[EXP-18] given a link that is requested, then no line of the log contains it or its parts', async (t) => {
      const { log, lines } = createCapturedLog()
      const { document, solve, exportOf } = await startExports(t, kind, log)
      const id = await document(tubes())
      await solve(id)
      const { url } = await exportOf(id, 'format=.3dm')
      await follow(url)
      await follow(`${url}x`)
      const text = JSON.stringify(lines)
      assert.match(text, /downloads/)
      const [, , said = ''] = new URL(url).pathname.split('/')
      for (const part of said.split('.')) assert.ok(!text.includes(part))
    })
  })
}

function listObjects(bytes: Uint8Array) {
  return [...walkModel(bytes)].map(({ id, name, layer, userStrings, encode }) => ({
    id,
    name,
    layer,
    userStrings: [...userStrings],
    data: encode().data,
  }))
}
