import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { receiveUpload } from './receive-upload.ts'

async function startUploads(t: TestContext, kind?: TestDatabase) {
  const app = await startWebApp(t, kind)
  const ann = await app.signIn('Ann', 'member')
  const folder = await app.given.folder(app.team, 'Towers')
  const headers = { 'content-type': 'application/octet-stream' }
  const upload = (fileName: string, body: Uint8Array | string, query = '') =>
    ann.ask('POST', `/folders/${folder.id}/uploads?fileName=${encodeURIComponent(fileName)}${query}`, body, {
      headers,
    })
  const list = async () =>
    (await ann.get(`/folders/${folder.id}`)).json.folder.documents.map(({ name }: { name: string }) => name)
  return { ...app, ann, folder, upload, list }
}

for (const kind of DATABASES) {
  describe(`uploads on ${kind.name}`, kind.options, () => {
    test('[UPL-1, UPL-2] given a file, when it is uploaded, again, changed, and as a copy, then there is a document of each, as was said', async (t) => {
      const { upload, list, get } = await startUploads(t, kind)
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
  })
}

test('[UPL-4] given files that are none, when they are uploaded, then the answer says why, and there is no document', async (t) => {
  const { upload, list } = await startUploads(t)
  const cases: [string, string | Uint8Array, number, RegExp][] = [
    ['Tower.gh', 'not a definition', 422, /^That file cannot be read: .+\.$/],
    ['Tower.gh', createDefinitionFile().subarray(0, 100), 422, /cannot be read/],
    ['Tower.3dm', createDefinitionFile(), 415, /Only \.gh and \.ghx/],
    ['.gh', createDefinitionFile(), 400, /A name has/],
    [`${'x'.repeat(300)}.gh`, createDefinitionFile(), 400, /A name has/],
  ]
  for (const [fileName, body, status, sentence] of cases) {
    const answer = await upload(fileName, body)
    assert.equal(answer.status, status, fileName)
    assert.match(answer.json.error, sentence)
  }
  assert.deepEqual(await list(), [])
})

test('[UPL-4] given a file that is too large, when it arrives, then it is refused as soon as that is known, and not kept', async (t) => {
  const { service } = await startUploads(t)
  let sent = 0
  async function* endless() {
    for (;;) {
      sent++
      yield Buffer.alloc(1000)
    }
  }
  await assert.rejects(receiveUpload(service.blobs, endless(), 10_000), {
    code: 'body_too_large',
    status: 413,
  })
  assert.equal(sent, 11)
})

/** Begins uploads of which the rest does not come. */
async function begin(
  { ann, folder, address, dataDir }: Awaited<ReturnType<typeof startUploads>>,
  count: number,
) {
  const path = `/app/v1/folders/${folder.id}/uploads?fileName=Tower.gh`
  const headers = { cookie: ann.cookie, 'content-type': 'application/octet-stream', 'content-length': 10_000 }
  const sendings = Array.from({ length: count }, () => {
    const sending = httpRequest(address + path, { method: 'POST', headers, agent: false })
    sending.on('error', () => {})
    sending.write(Buffer.alloc(5000))
    return sending
  })
  const untilWritten = (expected: number) =>
    until(`${expected} are being written`, async () => {
      const names = await readdir(join(dataDir, 'blobs', 'unfinished'))
      return names.length === expected
    })
  await untilWritten(count)
  return async () => {
    for (const sending of sendings) sending.destroy()
    await untilWritten(0)
  }
}

test('[UPL-4] given an upload that breaks off, when its rest does not come, then nothing of it is left', async (t) => {
  const app = await startUploads(t)
  const breakOff = await begin(app, 1)
  await breakOff()
  assert.deepEqual(await app.list(), [])
})

test('[UPL-5] given as many uploads as there is room for, when another one comes, then it is refused, until there is room', async (t) => {
  const app = await startUploads(t)
  const breakOff = await begin(app, 32)
  const refused = await app.upload('Tower.gh', createDefinitionFile())
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
  await breakOff()
  await until(
    'there is room',
    async () => (await app.upload('Tower.gh', createDefinitionFile())).status === 200,
  )
})

test('[UPL-5] given many files at once, when they are uploaded, then each becomes a document', async (t) => {
  const { upload, list } = await startUploads(t)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => upload(`Tower ${i}.gh`, createDefinitionFile({ text: `${i}` }))),
  )
  assert.ok(answers.every(({ json }) => json.upload.outcome === 'created'))
  assert.equal((await list()).length, 12)
})

test('[UPL-3] given a document that was edited since it was uploaded, when another file comes, then the conflict says so', async (t) => {
  const { upload, database } = await startUploads(t)
  await upload('Tower.gh', createDefinitionFile())
  await database.transaction((write) =>
    write
      .updateTable('document')
      .set(({ eb }) => ({ seq: eb('seq', '+', 1) }))
      .execute(),
  )
  const { upload: told } = (await upload('Tower.gh', createDefinitionFile({ text: 'other' }))).json
  assert.deepEqual([told.outcome, told.wasEdited], ['conflict', true])
})
