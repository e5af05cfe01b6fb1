import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { GraphContent, Node, NodeState } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { fingerprintOf } from '@meadow/document'
import { createNode, createSliderValues } from '@meadow/document/live'
import { EMPTY_SCENE } from '@meadow/drawing/scene'
import { KINDS } from '../../testing/kinds.ts'
import { createDrafts } from './drafts.ts'
import { createPreviewController } from './preview-controller.ts'
import type { Obstacle, PreviewReply, PreviewRequest } from './preview-messages.ts'
import type { PreviewWorker } from './scheduler.ts'

const slider = createNode(KINDS.slider, { position: { x: 0, y: 0 } })
const id = slider.instanceId

const holding = (value: number): Node => ({ ...slider, values: { [id]: createSliderValues(slider, value) } })

const contentOf = (node: Node): GraphContent => ({
  nodes: { [id]: node },
  groups: [],
  configuration: { inputs: [], outputs: [] },
})

/** The stored solution of a content. */
const solutionOf = (content: GraphContent, state: NodeState = 'solved') =>
  ({
    id: crypto.randomUUID(),
    fingerprint: fingerprintOf(content),
    messages: [],
    nodes: { [id]: { state, ports: {} } },
  }) as unknown as EditorSolution

function setUp(t: TestContext) {
  const requests: Extract<PreviewRequest, { type: 'solve' }>[] = []
  const written: number[] = []
  const worker: PreviewWorker = {
    onmessage: null,
    onerror: null,
    postMessage: (request) => void (request.type === 'solve' && requests.push(request)),
    terminate() {},
  }
  const drafts = createDrafts()
  const numberOf = (nodes: ReadonlyMap<string, Node>) =>
    nodes.get(id)!.values[id]!.branches[0]!.values[0]!.value as number
  const preview = createPreviewController({
    createWorker: () => worker,
    drafts,
    writeDrafts: (nodes) => written.push(numberOf(nodes)),
  })
  t.after(preview.close)
  const reply = (reply: PreviewReply) => worker.onmessage!({ data: reply } as MessageEvent<PreviewReply>)
  return {
    preview,
    drafts,
    requests,
    written,
    show: (content: GraphContent, solution: EditorSolution | undefined) =>
      preview.update({ content, solution, selectedIds: NONE }),
    drag: (value: number) => drafts.set(slider, createSliderValues(slider, value)),
    solved(state: NodeState = 'solved') {
      const summary = {
        messages: [],
        nodes: { [id]: { state, ports: {} } },
        completeness: { isComplete: true } as never,
      }
      const scene = EMPTY_SCENE.slice().buffer
      reply({ type: 'solved', id: requests.length, summary, panels: new Map(), scene })
    },
    unsolved: (obstacle: Obstacle | 'cyclic') => reply({ type: 'unsolved', id: requests.length, obstacle }),
  }
}

const NONE: ReadonlySet<string> = new Set()
const [before, after] = [contentOf(holding(0.2)), contentOf(holding(0.7))]

test('[WEB-52] given a stored solution of what is shown, then there is no preview', (t) => {
  const { show, requests } = setUp(t)
  show(before, solutionOf(before))
  show({ ...before, groups: [] }, solutionOf(before))
  assert.equal(requests.length, 0)
})

test('[WEB-50] given a page that is idle, when the worker starts, then it solves the document once, and nothing of it is shown', (t) => {
  const { preview, show, solved, requests, drag } = setUp(t)
  show(before, solutionOf(before))
  preview.start()
  assert.equal(requests.length, 1)
  solved()
  assert.equal(preview.summary.read(), undefined)
  assert.equal(preview.count.read(), 0)
  drag(0.5)
  solved()
  assert.ok(preview.summary.read())
})

test('[WEB-52] given an edit, then its preview is shown until its own solution is stored, not that of an earlier edit', (t) => {
  const { preview, show, solved } = setUp(t)
  show(before, solutionOf(before))
  show(after, solutionOf(before))
  solved()
  assert.ok(preview.summary.read())
  show(after, solutionOf(contentOf(holding(0.5))))
  assert.ok(preview.summary.read())
  show(after, solutionOf(after))
  assert.equal(preview.summary.read(), undefined)
  assert.equal(preview.scene.read(), undefined)
})

test('[WEB-52] given an edit that is undone, then the stored solution is shown at once', (t) => {
  const { preview, show, solved } = setUp(t)
  const stored = solutionOf(before)
  show(after, stored)
  solved()
  show(contentOf(holding(0.2)), stored)
  assert.equal(preview.summary.read(), undefined)
})

test('[WEB-52] given a solution without a fingerprint, then it is that of the content with which it came', (t) => {
  const { preview, show, solved, requests } = setUp(t)
  const { fingerprint: _, ...old } = solutionOf(before)
  show(before, old)
  assert.equal(requests.length, 0)
  show(after, old)
  solved()
  assert.ok(preview.summary.read())
})

test('[WEB-52] given a node that only the server can solve, then a preview without its data is not shown', (t) => {
  const { preview, show, solved } = setUp(t)
  show(after, solutionOf(before))
  solved('unknown')
  assert.equal(preview.summary.read(), undefined)
  show(contentOf(holding(0.9)), solutionOf(before, 'unknown'))
  solved('unknown')
  assert.ok(preview.summary.read())
})

test('[WEB-50] given a drag, then the preview stays from the drop until the solution, without a gap', (t) => {
  const { preview, drafts, show, drag, solved } = setUp(t)
  const stored = solutionOf(before)
  const content = contentOf(slider)
  show(content, solutionOf(content))
  drag(0.7)
  solved()
  drafts.written(id)
  assert.ok(preview.summary.read())
  show(after, stored)
  assert.equal(drafts.read().size, 0)
  assert.ok(preview.summary.read())
})

test('[WEB-53] given a drag without previews, then each value is written when the one before is solved, and the newest only', (t) => {
  const { show, drag, unsolved, written } = setUp(t)
  const content = contentOf(slider)
  show(content, solutionOf(content))
  drag(0.3)
  unsolved('content')
  assert.deepEqual(written, [0.3])
  const first = contentOf(holding(0.3))
  show(first, solutionOf(content))
  for (const value of [0.4, 0.5, 0.6]) drag(value)
  unsolved('content')
  assert.deepEqual(written, [0.3])
  show(first, solutionOf(first))
  assert.deepEqual(written, [0.3, 0.6])
})

test('[WEB-53] given edits without a drag, then nothing is written', (t) => {
  const { show, unsolved, written } = setUp(t)
  show(after, solutionOf(before))
  unsolved('size')
  show(after, solutionOf(after))
  assert.deepEqual(written, [])
})
