import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import fc from 'fast-check'
import * as Y from 'yjs'
import { readLiveDocument } from '../projection/live-projector.ts'
import { operate } from '../testing/random-operation.ts'
import { LiveEditError } from './edit-error.ts'
import { replaceContent } from './replace-content.ts'
import { createUndoManager } from './undo-manager.ts'

const ME = 'me'

/** Another copy of a document, as another editor has it. */
function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}

const plain = (doc: Y.Doc): GraphContent => JSON.parse(JSON.stringify(readLiveDocument(doc)))

/** A history of edits by several editors, as the contents after each of them. */
function makeHistory(choices: readonly number[]): { doc: Y.Doc; contents: GraphContent[] } {
  let doc = new Y.Doc()
  const contents = [plain(doc)]
  let at = 0
  const choose = (limit: number) => choices[at++ % choices.length]! % limit
  for (let edit = 0; edit < choices.length / 3; edit++) {
    if (choose(4) === 0) doc = copyOf(doc)
    try {
      operate(doc, choose, ME, `id ${edit}`)
    } catch (error) {
      if (!(error instanceof LiveEditError)) throw error
    }
    contents.push(plain(doc))
  }
  return { doc, contents }
}

test('[LD-28] [HIST-9] given any history of edits by several editors, when any content of it is restored, then the document reads as it, and an undo brings back the one before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(10_000), { minLength: 30, maxLength: 200 }),
      fc.nat(10_000),
      fc.boolean(),
      (choices, which, isOther) => {
        const { doc, contents } = makeHistory(choices)
        const restored = isOther ? copyOf(doc) : doc
        const undo = createUndoManager(restored, ME)
        const before = plain(restored)
        const target = contents[which % contents.length]!
        replaceContent(restored, target, ME)
        assert.deepEqual(plain(restored), target)
        assert.deepEqual(plain(copyOf(restored)), target)
        undo.undo()
        const { nodes, groups, configuration } = plain(restored)
        assert.deepEqual(nodes, before.nodes)
        const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).sort()
        assert.deepEqual(sorted(groups), sorted(before.groups))
        assert.deepEqual(sorted(configuration.inputs), sorted(before.configuration.inputs))
        assert.deepEqual(sorted(configuration.outputs), sorted(before.configuration.outputs))
      },
    ),
    { numRuns: 300 },
  )
})
