import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import type { DocumentId, GraphContent } from '@meadow/contract'
import { renameNode } from '@meadow/document/live'
import * as Y from 'yjs'
import { createChangeLog } from '../../content/change-log.ts'
import { createContentStore } from '../../content/content.store.ts'
import { createDocumentContents } from '../../content/document-contents.ts'
import { createHistoryWork } from '../../content/history/history-work.ts'
import { openReplica } from '../../content/replica.ts'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { createFolder, LONG_AGO, putFile } from '../../testing/definition-folder.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createDocumentStore } from '../documents/documents.store.ts'
import { openDefinitionParser } from './definition-parser.ts'
import { importDefinitions } from './import-definitions.ts'
import type { ImportResult, OnConflict } from './import-result.ts'

/** Shared by all tests, because its process takes a while to start. */
const parser = openDefinitionParser()
after(() => parser[Symbol.asyncDispose]())

/** A document that was imported from `a.gh`, with panels whose text is "old". */
async function start(t: TestContext, kind: TestDatabase, panels = 2) {
  const database = await kind.open(t)
  const { team, root } = await givenTeam(database)
  const blobs = await openDiskBlobs(await createFolder(t))
  const content = { database, store: createContentStore(database), blobs, history: createHistoryWork(blobs) }
  const contents = createDocumentContents(database, blobs)
  const documents = createDocumentStore(database)
  const path = await createFolder(t, { 'a.gh': createDefinitionFile({ text: 'old', panels }) })

  async function run(onConflict?: OnConflict) {
    const results: ImportResult[] = []
    const { signal } = new AbortController()
    const onResult = (result: ImportResult) => results.push(result)
    const request = { path, team, target: root.key, signal, onResult, onConflict }
    const summary = await importDefinitions({ database, blobs, parser }, request)
    return { result: results[0]!, summary }
  }
  const find = async (id: DocumentId) => (await documents.find(team, id))!
  const read = async (id: DocumentId): Promise<GraphContent> =>
    JSON.parse(Buffer.from((await contents.read((await find(id)).key))!.value).toString())

  const { result } = await run()
  const { documentId: id } = result as { documentId: DocumentId }
  const { key } = await find(id)
  const [node] = Object.keys((await read(id)).nodes)

  return {
    id,
    node: node!,
    run,
    read,
    find,
    open: () => openReplica(content, key),
    change: (text: string) =>
      putFile(path, 'a.gh', createDefinitionFile({ text, panels }), LONG_AGO + text.length * 1000),
    /** Renames a node, as the editor does. */
    async edit(name: string) {
      const { doc } = await openReplica(content, key)
      const updates: Uint8Array[] = []
      doc.on('update', (update: Uint8Array) => updates.push(update))
      renameNode(doc, node!, name)
      await createChangeLog(database).append({ document: key, team, update: Y.mergeUpdates(updates) })
    },
  }
}

const panelTexts = ({ nodes }: GraphContent) =>
  Object.values(nodes).map(({ values }) => JSON.stringify(values).match(/old|newer|new/)?.[0])

for (const kind of FEATURE_DATABASES) {
  describe(`importing files of edited documents again on ${kind.name}`, kind.options, () => {
    test('[IMP-20] given a file that changed and a document that was edited, when it is imported without `onConflict`, then the document stays, and the conflict is reported each time', async (t) => {
      const { id, node, edit, change, run, read } = await start(t, kind)
      await edit('Mine')
      await change('new')
      for (let time = 0; time < 2; time++) {
        const { result, summary } = await run()
        assert.deepEqual(result, { path: 'a.gh', outcome: 'conflict', documentId: id })
        assert.deepEqual([summary.conflict, summary.updated, summary.failed], [1, 0, 0])
      }
      const content = await read(id)
      assert.equal(content.nodes[node]!.nickName, 'Mine')
      assert.deepEqual(panelTexts(content), ['old', 'old'])
    })

    test('[IMP-20] given an edited document whose file did not change, when it is imported, then it stays and is reported as unchanged', async (t) => {
      const { id, node, edit, run, read } = await start(t, kind)
      await edit('Mine')
      assert.equal((await run('replace')).result.outcome, 'unchanged')
      assert.equal((await read(id)).nodes[node]!.nickName, 'Mine')
    })

    test('[IMP-20, IMP-21] given a conflict, when edits are to be replaced, then the document has the content of the file, also for open editors, and later imports have no conflict', async (t) => {
      const { id, edit, change, run, read, find, open } = await start(t, kind)
      await edit('Mine')
      const opened = await open()
      await change('new')
      const { result } = await run('replace')
      assert.deepEqual(
        { ...result, notes: [], unsolvable: [] },
        { path: 'a.gh', outcome: 'updated', documentId: id, notes: [], unsolvable: [], replaced: true },
      )
      await opened.catchUp()
      const { value } = (await opened.readJson())!
      const json = value.map((piece) => (typeof piece === 'string' ? piece : '')).join('')
      assert.deepEqual(JSON.parse(json), await read(id))
      assert.deepEqual(panelTexts(await read(id)), ['new', 'new'])
      assert.equal((await find(id)).seq, 3)
      await change('newer')
      assert.equal((await run()).result.outcome, 'updated')
      assert.deepEqual(panelTexts(await read(id)), ['newer', 'newer'])
    })

    test('[IMP-21] given a document that is open and not edited, when its file has changed, then it takes the content without a conflict, and remaining nodes keep their identity', async (t) => {
      const { id, node, change, run, read, open } = await start(t, kind)
      const opened = await open()
      await change('new')
      const { result } = await run()
      assert.equal(result.outcome, 'updated')
      await opened.catchUp()
      assert.ok(node in (await read(id)).nodes)
      assert.deepEqual(panelTexts(await read(id)), ['new', 'new'])
      assert.equal(opened.seq, 2)
    })

    test('[IMP-20] given a conflict, when a copy is to be made, then the edited document stays, and the file belongs to the copy from then on', async (t) => {
      const { id, node, edit, change, run, read, find } = await start(t, kind)
      await edit('Mine')
      await change('new')
      const { result } = await run('copy')
      assert.ok(result.outcome === 'created' && result.besides === id)
      const copy = result.documentId!
      assert.equal((await find(copy)).name, 'a (imported)')
      assert.equal((await read(id)).nodes[node]!.nickName, 'Mine')
      assert.deepEqual(panelTexts(await read(copy)), ['new', 'new'])
      await change('newer')
      const later = (await run()).result
      assert.deepEqual(
        [later.outcome, 'documentId' in later && later.documentId],
        ['updated', result.documentId],
      )
      assert.deepEqual(panelTexts(await read(id)), ['old', 'old'])
    })
  })
}
