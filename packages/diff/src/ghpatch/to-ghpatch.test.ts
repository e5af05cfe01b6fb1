import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDataTree, type Node } from '@meadow/document'
import fc from 'fast-check'
import { buildNode } from '../../../grasshopper/src/testing/build-node.ts'
import { editAtRandom } from '../../../grasshopper/src/testing/edit-at-random.ts'
import { type DocumentContent, diffDocuments } from '../changes/diff-documents.ts'
import { anyDocument } from '../testing/documents.ts'
import { toGhPatch } from './to-ghpatch.ts'

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'

const contentOf = (...nodes: Node[]): DocumentContent => ({
  nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
  groups: [],
})

/** A slider that feeds an addition. */
function createWired(): [slider: Node, sum: Node] {
  const state = { kind: 'slider', minimum: 0, maximum: 10, decimals: 1, interval: 'real' } as const
  const slider = buildNode(SLIDER, 100, { state, values: [{ type: 'number', value: 5 }] })
  const sum = buildNode(ADDITION, 200)
  sum.sources = {
    [Object.keys(sum.inputs)[0]!]: [{ nodeInstanceId: slider.instanceId, portInstanceId: slider.instanceId }],
  }
  return [slider, sum]
}

test('[DIFF-30] given values, names, flags and wires, when written as GhPatch, then components are matched by id and have what the format has', () => {
  const [slider, sum] = createWired()
  const [first, second] = Object.keys(sum.inputs)
  const moved = {
    ...slider,
    values: { [slider.instanceId]: createDataTree([{ path: [0], values: [{ type: 'number', value: 7 }] }]) },
  }
  const wire = sum.sources[first!]!
  const port = { ...sum.ports[first!]!, flags: ['graft' as const] }
  const edited = {
    ...sum,
    nickName: 'Total',
    status: { isEnabled: false, isPreviewed: true },
    sources: { [second!]: wire },
    ports: { ...sum.ports, [first!]: port },
  }
  const { patch, omitted } = toGhPatch(contentOf(slider, sum), contentOf(moved, edited))
  assert.deepEqual(omitted, [])
  const end = (paramIndex: number) => ({
    from: { id: 1, paramName: 'Number Slider', paramIndex: 0 },
    to: { id: 2, paramName: 'AB'[paramIndex], paramIndex },
  })
  assert.deepEqual(patch, {
    schema: '1.0',
    kind: 'ghpatch',
    patch: {
      base: { schema: '1.0' },
      components: {
        modify: [
          {
            match: { instanceGuid: slider.instanceId },
            componentState: {
              extensions: { set: { 'gh.numberslider': { value: '7<0,10>', rounding: 'None' } } },
            },
          },
          {
            match: { instanceGuid: sum.instanceId },
            set: { nickName: 'Total' },
            componentState: { set: { locked: true } },
            inputSettings: {
              byParameterName: {
                A: { set: { dataMapping: 'Graft', isReversed: false, isSimplified: false } },
              },
            },
          },
        ],
      },
      connections: { add: [end(1)], remove: [end(0)] },
    },
  })
})

test('[DIFF-30] given an added and a removed node, when written as GhPatch, then the new one has the next number and its wires', () => {
  const [slider, sum] = createWired()
  const { patch } = toGhPatch(
    contentOf(slider, buildNode(ADDITION, 900, { position: { x: 9000, y: 0 } })),
    contentOf(slider, sum),
  )
  const { components, connections } = patch.patch as {
    components: { add: Node[]; remove: unknown[] }
    connections: { add: { to: { id: number } }[] }
  }
  assert.deepEqual(components.remove.length, 1)
  assert.deepEqual(
    components.add.map(({ name }) => name),
    ['Addition'],
  )
  assert.deepEqual(
    connections.add.map(({ to }) => to.id),
    [3],
  )
})

test('[DIFF-31] given any two documents, when written as GhPatch, then each change is in the patch or named with a reason', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const before = anyDocument(g)
      const after = editAtRandom(before, g, 10)
      const difference = diffDocuments(before, after)
      const { patch, omitted } = toGhPatch(before, after, difference)
      const all = [...difference.changes, ...difference.layout]
      for (const { change, reason } of omitted) assert.ok(all.includes(change) && reason.length > 0)
      assert.equal(Object.keys(patch.patch).length > 1, omitted.length < all.length)
      const { connections } = patch.patch as {
        connections?: Record<string, { from: { id: number }; to: { id: number } }[]>
      }
      for (const { from, to } of Object.values(connections ?? {}).flat()) assert.ok(from.id > 0 && to.id > 0)
    }),
    { numRuns: 150, endOnFailure: true },
  )
})
