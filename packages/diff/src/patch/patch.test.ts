import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDataTree, type Node } from '@meadow/document'
import fc from 'fast-check'
import { buildNode } from '../../../grasshopper/src/testing/build-node.ts'
import { editAtRandom } from '../../../grasshopper/src/testing/edit-at-random.ts'
import type { DocumentContent } from '../changes/diff-documents.ts'
import { anyDocument } from '../testing/documents.ts'
import { makeSingleEdit } from '../testing/single-edits.ts'
import { applyPatch } from './apply-patch.ts'
import { createPatch } from './create-patch.ts'
import { mergeDocuments } from './merge-documents.ts'
import type { Patch } from './patch.ts'

const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

test('[DIFF-20] given any two documents, when the patch between them is sent as JSON and applied to the old one, then the result is the new one, and the old one stays', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const before = toJson(anyDocument(g))
      const after = toJson(editAtRandom(before, g, 20))
      const kept = structuredClone(before)
      const patch = toJson(createPatch(before, after))
      const { document, conflicts } = applyPatch(before, patch)
      assert.deepEqual(conflicts, [])
      assert.deepEqual(toJson(document), after)
      assert.deepEqual(before, kept)
    }),
    { numRuns: 500, endOnFailure: true },
  )
})

test('[DIFF-20] given two documents that have nothing to do with each other, when patched, then the old becomes the new', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const [before, after] = [toJson(anyDocument(g)), toJson(anyDocument(g))]
      const { document, conflicts } = applyPatch(before, createPatch(before, after))
      assert.deepEqual(conflicts, [])
      assert.deepEqual(toJson(document), after)
    }),
    { numRuns: 60, endOnFailure: true },
  )
})

test('[DIFF-21] given a patch, when it is applied to its own result, then it fits and changes nothing', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const before = toJson(anyDocument(g))
      if (Object.keys(before.nodes).length === 0) return
      const after = toJson(makeSingleEdit(before, g).content)
      const { document, conflicts } = applyPatch(after, createPatch(before, after))
      assert.deepEqual([conflicts, toJson(document)], [[], after])
    }),
    { numRuns: 100, endOnFailure: true },
  )
})

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'

/** Two additions, of which the second takes its first input from the first. */
function createPair(): { content: DocumentContent; first: Node; second: Node } {
  const [first, second] = [100, 200].map((number) =>
    buildNode(ADDITION, number, { nickName: `Sum ${number}` }),
  )
  const [input] = Object.keys(second!.inputs)
  const [output] = Object.keys(first!.outputs)
  second!.sources = { [input!]: [{ nodeInstanceId: first!.instanceId, portInstanceId: output! }] }
  const nodes = { [first!.instanceId]: first!, [second!.instanceId]: second! }
  return toJson({ content: { nodes, groups: [] }, first: first!, second: second! })
}

const withNode = (content: DocumentContent, node: Node): DocumentContent => ({
  ...content,
  nodes: { ...content.nodes, [node.instanceId]: node },
})

function without({ nodes, ...content }: DocumentContent, { instanceId }: Node): DocumentContent {
  return { ...content, nodes: Object.fromEntries(Object.entries(nodes).filter(([id]) => id !== instanceId)) }
}

test('[DIFF-22] given a document that is not what a patch expects, when it is applied, then each part that does not fit is named with what was expected and found', () => {
  const { content, first, second } = createPair()
  const [input] = Object.keys(first.inputs)
  const valuesOf = (value: number) => ({
    [input!]: createDataTree([{ path: [0], values: [{ type: 'number', value }] }]),
  })
  const after = withNode(withNode(content, { ...first, values: valuesOf(1), nickName: 'Total' }), {
    ...second,
    nickName: 'End',
  })
  const patch = createPatch(content, after)
  const other = without(withNode(content, { ...first, values: valuesOf(2) }), second)
  const { document, conflicts } = applyPatch(other, patch)
  assert.deepEqual(
    conflicts.map(({ kind, where, expected, found, wanted }) => ({ kind, where, expected, found, wanted })),
    [
      {
        kind: 'present',
        where: 'nodes · Total · values · A',
        expected: undefined,
        found: valuesOf(2)[input!],
        wanted: valuesOf(1)[input!],
      },
      {
        kind: 'missing',
        where: `nodes · ${second.instanceId} · nickName`,
        expected: 'Sum 200',
        found: undefined,
        wanted: 'End',
      },
    ],
  )
  // What fits is applied.
  assert.equal(document.nodes[first.instanceId]!.nickName, 'Total')
})

test('[DIFF-22] given what is no patch, when applied, then the error says what is wrong with it', () => {
  const { content } = createPair()
  const apply = (patch: unknown) => () => applyPatch(content, patch as Patch)
  assert.throws(apply(null), /its format is not "meadow-patch"/)
  assert.throws(apply({ format: 'meadow-patch', version: 2 }), /version 2/)
  const operations = [
    { op: 'set', path: ['nodes'] },
    { op: 'set', path: 'nodes' },
  ]
  assert.throws(apply({ format: 'meadow-patch', version: 1, operations }), /Operation 1/)
})

test('[DIFF-22] given a path that would reach a prototype or leaves the document, when applied, then nothing but the document changes', () => {
  const { content } = createPair()
  for (const path of [
    ['nodes', '__proto__', 'polluted'],
    ['__proto__', 'polluted'],
    ['id'],
    ['nodes', 'toString', 'name'],
  ]) {
    const patch: Patch = { format: 'meadow-patch', version: 1, operations: [{ op: 'set', path, after: 1 }] }
    const { document, conflicts } = applyPatch(content, patch)
    assert.deepEqual([conflicts.length, document], [1, content], path.join())
  }
  assert.equal(({} as { polluted?: number }).polluted, undefined)
})

test('[DIFF-23] given two documents of one, when both changed different things, then the merge has all of it without conflicts', () => {
  const { content: base, first, second } = createPair()
  const source = Array.from({ length: 20 }, (_, i) => `line ${i}`)
  const script = {
    ...buildNode(ADDITION, 300),
    state: { kind: 'script', language: 'python3', source: source.join('\n') },
  }
  const start = withNode(base, script)
  const programmed = (at: number) => ({
    ...script,
    state: { ...script.state, source: source.with(at, 'mine').join('\n') },
  })
  const [input, free] = Object.keys(second.inputs)
  const wire = { nodeInstanceId: first.instanceId, portInstanceId: Object.keys(first.outputs)[0]! }
  const ours = withNode(withNode(start, { ...first, nickName: 'Ours' }), programmed(2))
  const theirs = withNode(
    withNode(start, { ...second, sources: { ...second.sources, [free!]: [wire] } }),
    programmed(15),
  )
  const { document, conflicts } = mergeDocuments(start, ours, theirs)
  assert.deepEqual(conflicts, [])
  assert.equal(document.nodes[first.instanceId]!.nickName, 'Ours')
  assert.deepEqual(Object.keys(document.nodes[second.instanceId]!.sources), [input, free])
  const merged = source.with(2, 'mine').with(15, 'mine').join('\n')
  assert.equal(document.nodes[script.instanceId]!.state!.source, merged)
})

test('[DIFF-23] given two documents of one, when both dragged a node, then the place of ours stays without a conflict', () => {
  const { content: base, first } = createPair()
  const dragged = (x: number) => withNode(base, { ...first, position: { x, y: 0 } })
  const { document, conflicts } = mergeDocuments(base, dragged(5), dragged(9))
  assert.deepEqual([document.nodes[first.instanceId]!.position.x, conflicts], [5, []])
})

test('[DIFF-24] given a node that one removed and the other wired or renamed, when merged, then the result is valid and the conflict is named', () => {
  const { content: base, first, second } = createPair()
  const ours = without(withNode(base, { ...second, sources: {} }), first)
  const [, free] = Object.keys(second.inputs)
  const wire = { nodeInstanceId: first.instanceId, portInstanceId: Object.keys(first.outputs)[0]! }
  const wired = withNode(base, { ...second, sources: { ...second.sources, [free!]: [wire] } })
  const merge = mergeDocuments(base, ours, wired)
  assert.deepEqual(
    merge.conflicts.map(({ kind, where }) => [kind, where]),
    [['dangling', 'Sum 200: wire without sender dropped']],
  )
  assert.deepEqual(merge.document.nodes[second.instanceId]!.sources, Object.create(null))
  const renamed = withNode(base, { ...first, nickName: 'Renamed' })
  assert.deepEqual(
    mergeDocuments(base, ours, renamed).conflicts.map(({ kind }) => kind),
    ['missing'],
  )
  assert.deepEqual(
    mergeDocuments(base, renamed, ours).conflicts.map(({ kind }) => kind),
    ['changed'],
  )
})

test('[DIFF-23] given any two documents of one, when one of them changed nothing, then the merge is the other one', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const base = toJson(anyDocument(g))
      const changed = toJson(editAtRandom(base, g, 10))
      assert.deepEqual(toJson(mergeDocuments(base, base, changed)), { document: changed, conflicts: [] })
      assert.deepEqual(toJson(mergeDocuments(base, changed, base)), { document: changed, conflicts: [] })
      assert.deepEqual(toJson(mergeDocuments(base, changed, changed)), { document: changed, conflicts: [] })
    }),
    { numRuns: 60, endOnFailure: true },
  )
})
