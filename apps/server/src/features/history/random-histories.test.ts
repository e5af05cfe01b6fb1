import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  addNodes,
  createNode,
  moveNodes,
  openLiveProjector,
  removeNodes,
  setPanelText,
} from '@meadow/document/live'
import fc from 'fast-check'
import * as Y from 'yjs'
import { keepVersions } from '../../content/history/keep-versions.ts'
import { readVersionText } from '../../content/history/versions.store.ts'
import { openReplica, type Replica } from '../../content/replica.ts'
import { givenContent } from '../../content/testing/given-content.ts'
import { DATABASES } from '../../testing/databases.ts'
import { pruneVersions } from './prune-versions.ts'

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
/** On SQLite; a tenth on PostgreSQL. The first version of this held for 1,000. */
const HISTORIES = 200

/** What happens to a document: an edit of its nodes, or what the service does. */
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('add', 'add', 'add', 'move', 'text', 'large', 'clear', 'name', 'compact', 'reopen'),
    number: fc.nat(1000),
  }),
  { minLength: 3, maxLength: 12 },
)

/** The edit of a step, in a copy of the document; undefined when it changes nothing. */
function makeUpdate(doc: Y.Doc, what: string, number: number): Uint8Array | undefined {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  const made: Uint8Array[] = []
  copy.on('update', (update: Uint8Array) => made.push(update))
  const ids = [...copy.getMap('nodes').keys()]
  const id = ids[number % Math.max(1, ids.length)]
  if (what === 'add') {
    const nodes = Array.from({ length: 1 + (number % 5) }, (_, x) =>
      createNode(PANEL, { position: { x, y: number } }),
    )
    addNodes(copy, nodes)
  } else if (what === 'clear') removeNodes(copy, ids)
  else if (id !== undefined && what === 'move') moveNodes(copy, { [id]: { x: number, y: 1 } })
  else if (id !== undefined && what === 'text') setPanelText(copy, id, `text ${number}`)
  copy.destroy()
  return made.length === 0 ? undefined : Y.mergeUpdates(made)
}

function read(doc: Y.Doc): string {
  const projector = openLiveProjector(doc)
  const json = JSON.stringify(projector.read())
  projector.close()
  return json
}

for (const kind of DATABASES) {
  describe(`versions on ${kind.name}`, kind.options, () => {
    const runs = kind.name === 'sqlite' ? HISTORIES : HISTORIES / 10
    test(`[HIST-3] [HIST-4] [HIST-5] [HIST-8] given histories of edits, compactions, names and processes that end, then every version is the document as it was, also after others were removed`, async (t) => {
      const { live, parts, changes, team, database, blobs } = await givenContent(t, kind)
      let [histories, count] = [0, 0]
      await fc.assert(
        fc.asyncProperty(steps, async (history) => {
          const { key } = await live()
          const then = new Map<number, string>()
          let replica: Replica = await openReplica(parts, key)
          then.set(replica.seq, read(replica.doc))
          for (const { what, number } of history) {
            if (what === 'compact') await replica.compact()
            else if (what === 'name') await keepVersions({ database, blobs }, key, 'manual')
            else if (what === 'reopen') {
              // As a process that was killed leaves it.
              replica.close()
              replica = await openReplica(parts, key)
            } else {
              const update = makeUpdate(replica.doc, what, number)
              if (!update) continue
              await replica.apply({ ...(await changes.append({ document: key, team, update })), update })
              then.set(replica.seq, read(replica.doc))
            }
          }
          await keepVersions({ database, blobs }, key, 'manual')
          replica.close()
          const list = () =>
            database.read
              .selectFrom('document_version')
              .where('document_id', '=', key)
              .orderBy('seq')
              .select(['id', 'seq', 'nodes'])
              .execute()
          const check = async () => {
            const versions = await list()
            for (const { id, seq, nodes } of versions) {
              const text = new TextDecoder().decode(await readVersionText(database.read, blobs, id))
              assert.deepEqual(JSON.parse(text), JSON.parse(then.get(seq)!))
              assert.equal(nodes, Object.keys(JSON.parse(text).nodes).length)
            }
            return versions
          }
          const versions = await check()
          assert.equal(versions.at(-1)!.seq, Math.max(...then.keys()), 'the newest is the document as it is')
          count += versions.length
          histories++
        }),
        { numRuns: runs },
      )
      assert.ok(count > histories)
      const before = await database.read.selectFrom('document_version').select('id').execute()
      const removed = await pruneVersions(database, Date.now() + 40 * 24 * 3600 * 1000)
      const after = await database.read
        .selectFrom('document_version')
        .select(['id', 'document_id as document'])
        .execute()
      assert.equal(after.length, before.length - removed)
      // The documents were made months ago, and edited now.
      const documents = new Set(after.map(({ document }) => document)).size
      assert.ok(removed > 0 && documents >= histories && after.length <= 2 * documents)
      for (const { id } of after.slice(0, 50)) {
        const text = await readVersionText(database.read, blobs, id)
        assert.ok(JSON.parse(new TextDecoder().decode(text)).nodes)
      }
      const bases = await database.read.selectFrom('version_base').select('id').execute()
      assert.ok(bases.length <= after.length, 'bases that no version needs are gone')
      assert.equal(await pruneVersions(database, Date.now() + 40 * 24 * 3600 * 1000), 0)
    })
  })
}
