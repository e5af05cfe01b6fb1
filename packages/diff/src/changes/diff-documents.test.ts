import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDataTree, createRecord, type GraphContent, type Node } from '@meadow/document'
import fc from 'fast-check'
import { readDefinition, writeDefinition } from '../../../grasshopper/src/index.ts'
import { buildNode } from '../../../grasshopper/src/testing/build-node.ts'
import { editAtRandom } from '../../../grasshopper/src/testing/edit-at-random.ts'
import { anyDocument, samples } from '../testing/documents.ts'
import { createLargeDocument, editSome } from '../testing/large-document.ts'
import {
  createEditable,
  EDIT_KINDS,
  makeSingleEdit,
  recreate,
  type SingleEdit,
} from '../testing/single-edits.ts'
import type { Change } from './change.ts'
import { describeChange } from './describe-change.ts'
import { type DocumentContent, diffDocuments } from './diff-documents.ts'

const NONE = { changes: [], layout: [] }

function checkSingleEdit({ name, content, change, layout }: SingleEdit, before: GraphContent): void {
  const found = diffDocuments(before, content)
  const kinds = { changes: found.changes.map(kindOf), layout: found.layout.map(kindOf) }
  assert.deepEqual(kinds, { changes: change ? [change] : [], layout: layout ? [layout] : [] }, name)
  for (const one of [...found.changes, ...found.layout]) assert.match(describeChange(one), /^\P{Cc}+$/u)
}

test('[DIFF-1] given documents with one edit, when compared, then it is reported exactly once: as a change, or as layout', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const before = anyDocument(g)
      if (Object.keys(before.nodes).length > 0) checkSingleEdit(makeSingleEdit(before, g), before)
    }),
    { numRuns: 500, endOnFailure: true },
  )
})

for (const kind of EDIT_KINDS)
  test(`[DIFF-1] given the edit ${kind} of a document that allows all edits, when compared, then it is reported exactly once`, () => {
    const before = createEditable()
    fc.assert(
      fc.property(fc.gen(), (g) => {
        const edit = makeSingleEdit(before, g, kind)
        assert.equal(edit.name, kind)
        checkSingleEdit(edit, before)
      }),
      { numRuns: 10, endOnFailure: true },
    )
  })

const kindOf = ({ kind }: { kind: string }) => kind

test('[DIFF-1] given a document of which all was copied, with one edit, when compared, then the edit is reported exactly once', () => {
  // Which node was copied is not known of two that are equal in everything but their place, so nothing is dragged.
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const before = editAtRandom(
        { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } },
        g,
        30,
      )
      if (Object.keys(before.nodes).length < 3) return
      const { name, content, change } = makeSingleEdit(before, g)
      const { changes } = diffDocuments(before, recreate(content))
      assert.deepEqual(changes.map(kindOf), change ? [change] : [], name)
    }),
    { numRuns: 200, endOnFailure: true },
  )
})

test('[DIFF-2] given a file that was read, written and read again, when compared, then there is no change', () => {
  for (const { bytes, name } of samples.filter((_, i) => i % 4 === 0)) {
    const { content, header } = readDefinition(bytes)
    const written = writeDefinition({ name: header.name, ...content }, { original: bytes, form: 'ghx' })
    assert.deepEqual(diffDocuments(content, readDefinition(written.bytes).content), NONE, name)
  }
})

test('[DIFF-3] given a document of which all was copied to another place, when compared, then there is no change', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const before = anyDocument(g)
      const { changes, layout } = diffDocuments(before, recreate(before, { x: 100, y: -50 }))
      assert.deepEqual(changes.map(describeChange), [])
      assert.equal(
        layout.filter(({ kind }) => kind === 'node_recreated').length,
        Object.keys(before.nodes).length,
      )
    }),
    { numRuns: 100, endOnFailure: true },
  )
})

test('[DIFF-6] given the same two documents with their records in another order, when compared, then the list is the same', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const before = anyDocument(g)
      const after = editAtRandom(before, g, 15)
      const first = diffDocuments(before, after)
      assert.deepEqual(diffDocuments(reverse(before), reverse(after)), first)
    }),
    { numRuns: 60, endOnFailure: true },
  )
})

/** The same document with the keys of its records in reverse. */
function reverse(content: GraphContent): GraphContent {
  const turn = <T>(record: Record<string, T>) => createRecord(Object.entries(record).reverse())
  const nodes = Object.entries(content.nodes).map(([id, node]): [string, Node] => [
    id,
    {
      ...node,
      inputs: turn(node.inputs),
      outputs: turn(node.outputs),
      values: turn(node.values),
      ports: turn(node.ports),
      sources: turn(node.sources),
    },
  ])
  return { ...content, nodes: turn(createRecord(nodes)) }
}

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const DIVISION = '9c85271f-89fa-4e9f-9f4a-d75802120ccc'
const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'

/** A document with a cluster, and in it another one, with one node each. */
function createNested(inner: Node, facts: { description?: string } = {}): DocumentContent {
  const cluster = { ...buildNode(ADDITION, 100), templateId: CLUSTER, name: 'Cluster', nickName: 'Outer' }
  const nested = { ...buildNode(ADDITION, 200), templateId: CLUSTER, name: 'Cluster', nickName: 'Inner' }
  const contentOf = (node: Node) => ({ ports: {}, nodes: { [node.instanceId]: node }, groups: [] })
  return {
    nodes: { [cluster.instanceId]: cluster },
    groups: [],
    clusters: {
      [cluster.instanceId]: {
        ...facts,
        ...contentOf(nested),
        clusters: { [nested.instanceId]: contentOf(inner) },
      },
    },
  }
}

test('[DIFF-9] given clusters in clusters, when a node inside is renamed, then the change says in which clusters it is', () => {
  const node = buildNode(ADDITION, 300)
  const { changes } = diffDocuments(createNested(node), createNested({ ...node, nickName: 'Sum' }))
  assert.deepEqual(changes.map(describeChange), ['Outer › Inner › Addition was renamed to Sum'])
  assert.deepEqual(
    changes[0]!.clusters!.map(({ nickName }) => nickName),
    ['Outer', 'Inner'],
  )
  const about = diffDocuments(createNested(node), createNested(node, { description: 'Adds.' })).changes
  assert.deepEqual(about.map(describeChange), ['About the cluster Outer: description none → "Adds."'])
})

test('[DIFF-9] given a cluster whose content is known in one document alone, when compared, then that is one change', () => {
  const before = createNested(buildNode(ADDITION, 300))
  const [id] = Object.keys(before.clusters!)
  const clusters = { [id!]: { reason: 'protected' as const, message: 'It is behind a password.' } }
  const { changes } = diffDocuments(before, { ...before, clusters })
  assert.deepEqual(changes.map(describeChange), ['About the cluster Outer: reason none → "protected"'])
})

test('[DIFF-8] given a script with changed lines, when compared, then the change has them as hunks of a unified diff', () => {
  const script = (source: string): DocumentContent => {
    const node = { ...buildNode(ADDITION, 100), state: { kind: 'script', language: 'python3', source } }
    return { nodes: { [node.instanceId]: node }, groups: [] }
  }
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`)
  const edited = lines.with(1, 'another').with(27, 'other').toSpliced(10, 1)
  const { changes } = diffDocuments(script(lines.join('\n')), script(edited.join('\r\n')))
  const [change] = changes as [Change & { kind: 'script_changed' }]
  assert.deepEqual(
    change.parts[0]!.hunks.map(({ oldStart, newStart, lines }) => [
      oldStart,
      newStart,
      lines.filter((line) => /^[-+]/.test(line)),
    ]),
    [
      [1, 1, ['-line 2', '+another']],
      [8, 8, ['-line 11']],
      [25, 24, ['-line 28', '+other']],
    ],
  )
  assert.equal(describeChange(change), 'The script of Addition was changed: +2 −3 lines')
  assert.deepEqual(diffDocuments(script('a\nb'), script('a\r\nb')), NONE)
})

test('[DIFF-5] given a component in place of another one under a new id, when compared, then it was replaced', () => {
  const [before, after] = [ADDITION, DIVISION].map((templateId, i) =>
    buildNode(templateId, 100 * (i + 1), { position: { x: 10, y: 20 } }),
  )
  const { changes } = diffDocuments(
    { nodes: { [before!.instanceId]: before! }, groups: [] },
    { nodes: { [after!.instanceId]: after! }, groups: [] },
  )
  assert.deepEqual(changes.map(describeChange), ['Addition was replaced by Division'])
})

test('[DIFF-7] given values, when described, then one is shown and many are counted', () => {
  const node = buildNode(ADDITION, 100)
  const [port] = Object.keys(node.inputs)
  const withValues = (...values: number[]): DocumentContent => {
    const tree = createDataTree([{ path: [0], values: values.map((value) => ({ type: 'number', value })) }])
    return { nodes: { [node.instanceId]: { ...node, values: { [port!]: tree } } }, groups: [] }
  }
  const { changes } = diffDocuments(withValues(1.5), withValues(1, 2, 3, 4))
  assert.deepEqual(changes.map(describeChange), ['Values of Addition.A: 1.5 → 4 values'])
})

test('[DIFF-4] given a component whose ports have other ids, when compared, then they are the same by name, and by order in another component', () => {
  const before = buildNode(ADDITION, 100)
  const [first, second] = Object.keys(before.inputs)
  const rename = (id: string) => `other-${id}`
  const renameKeys = <T>(record: Record<string, T>) =>
    Object.fromEntries(Object.entries(record).map(([id, value]) => [rename(id), value]))
  const after = {
    ...before,
    inputs: { [rename(second!)]: 0, [rename(first!)]: 1 },
    outputs: renameKeys(before.outputs),
    ports: renameKeys(before.ports),
    values: renameKeys(before.values),
  }
  const contentOf = (node: Node): DocumentContent => ({ nodes: { [node.instanceId]: node }, groups: [] })
  assert.deepEqual(diffDocuments(contentOf(before), contentOf(after)).changes.map(describeChange), [
    'The inputs of Addition are in another order: B, A',
  ])
  const replaced = { ...after, templateId: DIVISION, ports: renameKeys(renamePorts(before.ports)) }
  const { changes } = diffDocuments(contentOf(before), contentOf(replaced))
  assert.deepEqual(changes.map(kindOf), ['node_replaced'])
})

const renamePorts = (ports: Node['ports']): Node['ports'] =>
  Object.fromEntries(Object.entries(ports).map(([id, port]) => [id, { ...port, name: `new ${port.name}` }]))

test('[DIFF-10] given documents of twice as many nodes, when compared, then about twice as much is looked at', () => {
  const [few, many] = [500, 1000].map((count) => {
    const before = createLargeDocument(count)
    let looks = 0
    const watch = ({ nodes, ...content }: GraphContent): GraphContent => {
      const watched = Object.values(nodes).map((node) => {
        const get = (_: Node, name: string) => {
          looks++
          return node[name as keyof Node]
        }
        return [node.instanceId, new Proxy(node, { get })] as const
      })
      return { ...content, nodes: createRecord(watched) }
    }
    assert.equal(diffDocuments(watch(before), watch(editSome(before, count / 20))).changes.length, count / 20)
    assert.ok(looks >= count)
    return looks
  })
  assert.ok(many! < 2.5 * few!, `${few} and ${many} looks`)
})
