import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createContentStore } from '../../content/content.store.ts'
import { createHistoryWork } from '../../content/history/history-work.ts'
import { openReplica } from '../../content/replica.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Log } from '../../platform/log.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { listChildren, noProc } from '../../testing/child-processes.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { shareWebApp } from '../../testing/share-web-app.ts'
import type { WebApp } from '../../testing/start-web-app.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { RECEIVE_LIMITS, receiveUpload } from './receive-upload.ts'

async function startUploads(t: TestContext, env: Record<string, string> = {}, log?: Log) {
  return furnish(await startWebApp(t, undefined, env, log))
}

/** Adds a folder to a team, and a person who uploads into it. */
async function furnish(app: WebApp) {
  const ann = await app.signIn('Ann', 'member')
  const folder = await app.fixtures.folder(app.team, 'Towers')
  const headers = { 'content-type': 'application/octet-stream' }
  const upload = (fileName: string, body: Uint8Array | string, query = '') =>
    ann.request(
      'POST',
      `/folders/${folder.id}/uploads?fileName=${encodeURIComponent(fileName)}${query}`,
      body,
      {
        headers,
      },
    )
  const list = async () =>
    (await ann.get(`/folders/${folder.id}`)).json.folder.documents.map(({ name }: { name: string }) => name)
  return { ...app, ann, folder, upload, list }
}

/** Begins uploads that never complete. `answered` resolves with the status of the first one that is answered all the same. */
async function begin(
  { ann, folder, address, dataDir }: Awaited<ReturnType<typeof furnish>>,
  count: number,
  atOnce = count,
) {
  const path = `/app/v1/folders/${folder.id}/uploads?fileName=Tower.gh`
  const headers = { cookie: ann.cookie, 'content-type': 'application/octet-stream', 'content-length': 10_000 }
  const { promise: answered, resolve } = Promise.withResolvers<number | undefined>()
  const sendings = Array.from({ length: count }, () => {
    const sending = httpRequest(address + path, { method: 'POST', headers, agent: false })
    sending.on('error', () => {})
    sending.on('response', ({ statusCode }) => resolve(statusCode))
    sending.write(Buffer.alloc(5000))
    return sending
  })
  const untilWritten = (expected: number) =>
    until(`${expected} are being written`, async () => {
      const names = await readdir(join(dataDir, 'blobs', 'unfinished'))
      return names.length === expected
    })
  await untilWritten(atOnce)
  const breakOff = async () => {
    for (const sending of sendings) sending.destroy()
    await untilWritten(0)
  }
  return { breakOff, answered }
}

for (const kind of FEATURE_DATABASES) {
  describe(`uploads on ${kind.name}`, kind.options, () => {
    const giveTeam = shareWebApp(kind)
    const start = async () => furnish(await giveTeam())

    test('[UPL-1, UPL-2] given a file, when it is uploaded, uploaded again, changed, and uploaded as a copy, then the documents follow `onConflict`', async () => {
      const { upload, list, get } = await start()
      const first = await upload('C:\\work\\Tower.gh', createDefinitionFile({ danglingWire: true }))
      assert.equal(first.status, 200, first.text)
      const { outcome, documentId, name, remarks, wasEdited } = first.json.upload
      assert.deepEqual([outcome, name, wasEdited, remarks.length], ['created', 'Tower', false, 1])
      assert.match(remarks[0], /^Wires .*: 1\.$/)
      const panelOf = async (id: string) =>
        JSON.stringify((await get(`/documents/${id}`)).json.document.nodes)
      assert.match(await panelOf(documentId), /hello/)

      const same = await upload('Tower.gh', createDefinitionFile({ danglingWire: true }))
      assert.deepEqual([same.json.upload.outcome, same.json.upload.documentId], ['unchanged', documentId])
      const changed = createDefinitionFile({ text: 'changed', form: 'ghx' })
      const conflict = await upload('Tower.gh', changed)
      assert.deepEqual(
        [conflict.json.upload.outcome, conflict.json.upload.documentId],
        ['conflict', documentId],
      )
      assert.match(await panelOf(documentId), /hello/)
      const copy = await upload('Tower.gh', changed, '&onConflict=copy')
      assert.deepEqual([copy.json.upload.outcome, copy.json.upload.name], ['created', 'Tower (2)'])
      const replaced = await upload('Tower.gh', changed, '&onConflict=replace')
      assert.deepEqual(
        [replaced.json.upload.outcome, replaced.json.upload.documentId],
        ['replaced', documentId],
      )
      assert.match(await panelOf(documentId), /changed/)
      assert.deepEqual(await list(), ['Tower', 'Tower (2)'])
    })

    test('[UPL-10] given a changed file, when it is previewed, then the answer is the document that it would make, and nothing is stored', async () => {
      const { upload, list, ann, folder, get, signIn } = await start()
      const first = await upload('Tower.gh', createDefinitionFile())
      const { documentId } = first.json.upload
      const path = `/folders/${folder.id}/upload-previews?fileName=`
      const changed = createDefinitionFile({ text: 'changed' })
      const octets = { headers: { 'content-type': 'application/octet-stream' } }
      const preview = await ann.request('POST', `${path}Tower.gh`, changed, octets)
      assert.equal(preview.status, 200, preview.text)
      assert.deepEqual(Object.keys(preview.json), ['graph', 'clusters', 'stored'])
      assert.match(JSON.stringify(preview.json.graph.nodes), /changed/)
      assert.doesNotMatch(
        JSON.stringify((await get(`/documents/${documentId}`)).json.document.nodes),
        /changed/,
      )
      assert.deepEqual(await list(), ['Tower'])
      await upload('Tower.gh', changed, '&onConflict=replace')
      const { document } = (await get(`/documents/${documentId}`)).json
      assert.deepEqual(preview.json.graph.nodes, document.nodes)
      // What the file of the document stores is what the file that was previewed does.
      const { stored } = (await ann.get(`/documents/${documentId}/stored`)).json
      assert.deepEqual(stored, preview.json.stored)
      assert.ok(Object.keys(stored).length > 1)
      const [version] = (await ann.get(`/documents/${documentId}/versions`)).json.versions
      const kept = await ann.get(`/documents/${documentId}/versions/${version.id}/stored`)
      assert.deepEqual(Object.keys(kept.json.stored).sort(), Object.keys(stored).sort())

      const model = await ann.request('POST', `${path}Site.3dm`, 'x', octets)
      assert.equal(model.status, 415, model.text)
      const broken = await ann.request('POST', `${path}Tower.gh`, 'no definition', octets)
      assert.equal(broken.status, 422, broken.text)
      const viewer = await signIn('Vic', 'viewer')
      assert.equal((await viewer.request('POST', `${path}Tower.gh`, changed, octets)).status, 403)
    })

    test('[UPL-1, IMP-25] given a file with the view that it was saved at, when it is uploaded, then its page has the view, for visitors too', async () => {
      const { upload, ann, signIn } = await start()
      const view = { x: -968, y: 24, zoom: 0.75 }
      const saved = await upload('Tower.gh', createDefinitionFile({ view }))
      const { documentId } = saved.json.upload
      const readView = async (reader: typeof ann) =>
        (await reader.get(`/documents/${documentId}`)).json.document.view
      assert.deepEqual(await readView(ann), view)
      await ann.request('PATCH', `/documents/${documentId}`, { visibility: 'public' })
      assert.deepEqual(await readView(await signIn('Eve')), view)
      const other = await upload('Other.gh', createDefinitionFile())
      const { json } = await ann.get(`/documents/${other.json.upload.documentId}`)
      assert.equal(json.document.view, null)
    })

    test('[UPL-1, IMP-23, IMP-24] given a file with what cannot be solved, when it is uploaded, then a remark says so, and the document has the list, which changes with it', async () => {
      const { upload, ann, signIn } = await start()
      const { json } = await upload('Tower.gh', createDefinitionFile({ unsolvable: true }))
      const { documentId, remarks } = json.upload
      assert.deepEqual(remarks, [
        'Ports that the file leaves out, with the default of their kind: 3.',
        'Components that cannot be solved here: 3. Scripts are not run (1); Plug-in Robots 1.6.9 (1); Import 3DM ' +
          'is not supported: it reads a file that is not in the document (1).',
      ])
      const read = async () => {
        const { unsolvable } = (await ann.get(`/documents/${documentId}/unsolvable`)).json
        return unsolvable.map(({ name, kind, library }: Record<string, unknown>) => [name, kind, library])
      }
      const robots = { name: 'Robots', version: '1.6.9' }
      const listed = [
        ['Layout', 'script', undefined],
        ['Robot', 'plugin', robots],
        ['Import 3DM', 'component', undefined],
      ]
      assert.deepEqual([await read(), await read()], [listed, listed])
      await upload('Tower.gh', createDefinitionFile(), '&onConflict=replace')
      assert.deepEqual(await read(), [])
      const stranger = await signIn('Cy')
      assert.equal((await stranger.get(`/documents/${documentId}/unsolvable`)).status, 404)
    })

    test('[UPL-2, HIST-16] given a large document that was opened for editing, when an upload replaces it, then it has the content, and versions of before and after', async () => {
      const { upload, get, ann, service, database } = await start()
      const textOf = (letter: string) => createDefinitionFile({ text: letter.repeat(600_000) })
      const { documentId } = (await upload('Tower.gh', textOf('a'))).json.upload
      const { blobs } = service
      const { id: key } = await database.read
        .selectFrom('document')
        .where('public_id', '=', documentId)
        .select('id')
        .executeTakeFirstOrThrow()
      const store = createContentStore(database)
      const history = createHistoryWork(blobs)
      const replica = await openReplica({ database, store, blobs, history }, key)
      replica.close()
      const replaced = await upload('Tower.gh', textOf('b'), '&onConflict=replace')
      assert.equal(replaced.json.upload?.outcome, 'replaced', replaced.text)
      assert.match(JSON.stringify((await get(`/documents/${documentId}`)).json.document.nodes), /b{1000}/)
      const { versions } = (await ann.get(`/documents/${documentId}/versions`)).json
      assert.deepEqual(
        versions.map(({ kind }: { kind: string }) => kind),
        ['import'],
      )
    })

    test('[UPL-4] given invalid files, when they are uploaded, then the response has the reason, and there is no document', async () => {
      const { upload, list } = await start()
      const cases: [string, string | Uint8Array, number, RegExp][] = [
        ['Tower.gh', 'not a definition', 422, /^That file cannot be read: .+\.$/],
        ['Tower.gh', createDefinitionFile().subarray(0, 100), 422, /cannot be read/],
        ['Tower.obj', createDefinitionFile(), 415, /^Only \.gh, \.ghx, /],
        ['Tower.3dm', createDefinitionFile(), 422, /not a \.3dm file/],
        ['.gh', createDefinitionFile(), 400, /A name has/],
        [`${'x'.repeat(300)}.gh`, createDefinitionFile(), 400, /A name has/],
      ]
      for (const [fileName, body, status, sentence] of cases) {
        const response = await upload(fileName, body)
        assert.equal(response.status, status, fileName)
        assert.match(response.json.error, sentence)
      }
      assert.deepEqual(await list(), [])
    })

    test('[UPL-4] given a file that is too large, when it arrives, then it is rejected at the limit, and not stored', async () => {
      const { service } = await start()
      let sent = 0
      async function* endless() {
        for (;;) {
          sent++
          yield Buffer.alloc(1000)
        }
      }
      await assert.rejects(receiveUpload(service.blobs, endless(), { ...RECEIVE_LIMITS, maxBytes: 10_000 }), {
        code: 'body_too_large',
        status: 413,
      })
      assert.equal(sent, 11)
    })

    test('[UPL-5] given many files, when they are uploaded concurrently, then each becomes a document', async () => {
      const { upload, list } = await start()
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, i) => upload(`Tower ${i}.gh`, createDefinitionFile({ text: `${i}` }))),
      )
      assert.ok(responses.every(({ json }) => json.upload.outcome === 'created'))
      assert.equal((await list()).length, 12)
    })

    test('[UPL-3] given a document that was edited since it was uploaded, when another file is uploaded, then the conflict states it', async () => {
      const { upload, database, team } = await start()
      await upload('Tower.gh', createDefinitionFile())
      await database.transaction((write) =>
        write
          .updateTable('document')
          .set(({ eb }) => ({ seq: eb('seq', '+', 1) }))
          .where('team_id', '=', team.key)
          .execute(),
      )
      const { upload: reported } = (await upload('Tower.gh', createDefinitionFile({ text: 'other' }))).json
      assert.deepEqual([reported.outcome, reported.wasEdited], ['conflict', true])
    })

    test('[UPL-6] given 32 silent uploads of one member, when a member of another team uploads a file, then it is accepted at once', async () => {
      const app = await start()
      const { breakOff } = await begin(app, 32, 4)
      const other = await app.fixtures.team('Other')
      const ben = await app.signIn('Ben', 'member', other)
      const { id } = await app.fixtures.root(other)
      const path = `/folders/${id}/uploads?fileName=Tower.gh`
      const headers = { 'content-type': 'application/octet-stream' }
      const response = await ben.request('POST', path, createDefinitionFile(), { headers })
      assert.equal(response.status, 200, response.text)
      // The other member of the first team is not blocked either.
      const cem = await app.signIn('Cem', 'member')
      const own = `/folders/${app.folder.id}/uploads?fileName=Own.gh`
      assert.equal((await cem.request('POST', own, createDefinitionFile(), { headers })).status, 200)
      await breakOff()
    })

    test('[UPL-6] given as many uploads as a person or the process may have, when the queue is full, then the next one is rejected with Retry-After, until there is room', async () => {
      const app = await start()
      const { breakOff, answered } = await begin(app, 4 + 32 + 1, 4)
      assert.equal(await answered, 429, 'the queue is full')
      const rejected = await app.upload('Tower.gh', createDefinitionFile())
      assert.equal(rejected.status, 429)
      assert.equal(rejected.headers.get('retry-after'), '5')
      await breakOff()
      await until(
        'there is room',
        async () => (await app.upload('Tower.gh', createDefinitionFile())).status === 200,
      )
    })

    test('[UPL-7] given bodies that stall, arrive too slowly, or are consumed slowly, then the first two are rejected with 408, and nothing of them is stored', async () => {
      const { service, dataDir } = await start()
      const limits = { maxBytes: 10_000, stallMs: 200, graceMs: 300, minBytesPerSecond: 100_000 }
      async function* silent() {
        yield Buffer.alloc(100)
        await new Promise(() => {})
      }
      async function* dripping() {
        for (;;) {
          yield Buffer.alloc(1)
          await sleep(20)
        }
      }
      for (const body of [silent(), dripping()]) {
        await assert.rejects(receiveUpload(service.blobs, body, limits), {
          code: 'upload_too_slow',
          status: 408,
        })
      }
      assert.deepEqual(await readdir(join(dataDir, 'blobs', 'unfinished')), [])
      async function* prompt() {
        for (let i = 0; i < 10; i++) yield Buffer.alloc(10)
      }
      const slowDisk: BlobStore = {
        ...service.blobs,
        async put(bytes) {
          for await (const _ of bytes as AsyncIterable<Uint8Array>) await sleep(50)
          return service.blobs.put(Buffer.alloc(1))
        },
      }
      await receiveUpload(slowDisk, prompt(), limits)
    })

    test('[UPL-7] given an upload that stalls, then the response is 408, and the connection closes', async () => {
      const { ann, folder, address } = await start()
      const path = `/app/v1/folders/${folder.id}/uploads?fileName=Tower.gh`
      const headers = {
        cookie: ann.cookie,
        'content-type': 'application/octet-stream',
        'content-length': 10_000,
      }
      const sending = httpRequest(address + path, { method: 'POST', headers, agent: false })
      sending.write(Buffer.alloc(5000))
      const [response] = (await once(sending, 'response')) as [IncomingMessage]
      assert.deepEqual([response.statusCode, response.headers.connection], [408, 'close'])
      const body = JSON.parse(Buffer.concat(await response.toArray()).toString())
      assert.match(body.error, /stalled/)
      sending.destroy()
    })
  })
}

test('[UPL-9] given a disk that is full, over its quota or read-only, when a file is uploaded, then the response is 503 with a sentence, and the log has the reason once', async (t) => {
  const { log, lines } = createCapturedLog()
  const { upload, list, service } = await startUploads(t, {}, log)
  for (const code of ['ENOSPC', 'EDQUOT', 'EROFS']) {
    const full = Object.assign(new Error(`${code}: write '/srv/meadow/blobs'`), { code })
    const put = t.mock.method(service.blobs, 'put', () => Promise.reject(full))
    const { status, json, headers } = await upload('Tower.gh', createDefinitionFile())
    assert.equal(status, 503, code)
    assert.deepEqual(json, { error: 'Nothing can be stored at the moment. Try again shortly.' })
    assert.equal(headers.get('retry-after'), '5')
    put.mock.restore()
  }
  assert.equal((await upload('Tower.gh', createDefinitionFile())).status, 200)
  assert.deepEqual(await list(), ['Tower'])
  const errors = lines.filter(({ level }) => level === 'error')
  assert.deepEqual(
    errors.map(({ reason, err }) => [reason, err]),
    [['The file store cannot be written: the disk is full.', undefined]],
  )
})

test('[UPL-4, UPL-8] given an upload, when its client disconnects, then nothing is stored, and it is not logged as an error', async (t) => {
  const { log, lines } = createCapturedLog()
  const app = await startUploads(t, {}, log)
  const { breakOff } = await begin(app, 3)
  await breakOff()
  assert.deepEqual(await app.list(), [])
  const logged = await until('all are logged', async () => {
    const found = lines.filter(({ refusal }) => refusal === 'upload_broke_off')
    return found.length === 3 && found
  })
  for (const { level, user, err } of logged)
    assert.deepEqual([level, user, err], ['info', app.ann.userId, undefined])
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error'),
    [],
  )
})

test('[UPL-6] given short configured queues, when an upload exceeds the queue, or waits too long, then it is rejected with 429', async (t) => {
  const app = await startUploads(t, {
    MEADOW_MAX_UPLOADS: 'caller=1',
    MEADOW_MAX_QUEUED_UPLOADS: 'caller=1',
    MEADOW_MAX_UPLOAD_QUEUE_SECONDS: '1',
  })
  const { breakOff } = await begin(app, 1)
  // One of the two finds the queue full, and the other one waits too long.
  const rejected = await Promise.all(
    ['A.gh', 'B.gh'].map((fileName) => app.upload(fileName, createDefinitionFile())),
  )
  for (const { status, headers } of rejected)
    assert.deepEqual([status, headers.get('retry-after')], [429, '5'])
  await breakOff()
  assert.deepEqual(await app.list(), [])
})

test('[UPL-5] given a low memory limit for parsing, when a file needs more, then it is rejected, and the next one is parsed', async (t) => {
  const { upload } = await startUploads(t, { MEADOW_JOB_MEMORY_MB: 'definitions=64' })
  const heavy = await upload('Heavy.gh', createDefinitionFile({ panels: 30_000 }))
  assert.deepEqual(
    [heavy.status, heavy.json.error],
    [422, 'That file cannot be read: it takes too much memory to read.'],
  )
  assert.equal((await upload('Tower.gh', createDefinitionFile())).status, 200)
})

test('[UPL-9, PRC-13] given a process that is killed while it reads an upload, then it is read by another one; when that is killed too, then 503', {
  skip: noProc,
}, async (t) => {
  const { upload, list } = await startUploads(t)
  const first = upload('Tower.gh', createDefinitionFile())
  const [started] = await until('there is a process that reads', async () => {
    const found = listChildren('definition-job')
    return found.length > 0 && found
  })
  process.kill(started!.pid, 'SIGKILL')
  assert.equal((await first).status, 200)
  let isAnswered = false
  const second = upload('Other.gh', createDefinitionFile({ text: 'other' })).finally(() => {
    isAnswered = true
  })
  await until('the upload is answered', async () => {
    for (const { pid } of listChildren('definition-job')) process.kill(pid, 'SIGKILL')
    return isAnswered
  })
  const { status, headers, json } = await second
  assert.deepEqual([status, headers.get('retry-after')], [503, '5'], json.error)
  assert.deepEqual(await list(), ['Tower'])
})
