import assert from 'node:assert/strict'
import { mock, type TestContext, test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { createNode } from '@meadow/document/live'
import { KINDS } from '../../testing/kinds.ts'
import type { PreviewReply, PreviewRequest } from './preview-messages.ts'
import { createPreviewScheduler, type PreviewTask, type PreviewWorker } from './scheduler.ts'

type SolveRequest = Extract<PreviewRequest, { type: 'solve' }>

const SUMMARY = { messages: [], nodes: {}, completeness: { isComplete: true } as never }

/** A worker that answers when the test says so. */
class FakeWorker implements PreviewWorker {
  onmessage: PreviewWorker['onmessage'] = null
  onerror: PreviewWorker['onerror'] = null
  readonly requests: SolveRequest[] = []
  isTerminated = false

  postMessage(request: PreviewRequest): void {
    if (request.type === 'solve') this.requests.push(request)
  }

  terminate(): void {
    this.isTerminated = true
  }

  reply(reply: PreviewReply): void {
    this.onmessage!({ data: reply } as MessageEvent<PreviewReply>)
  }

  solved(summary: typeof SUMMARY | undefined = SUMMARY): void {
    const { id } = this.requests.at(-1)!
    this.reply({ type: 'solved', id, summary, panels: new Map(), scene: new ArrayBuffer() })
  }

  crash(): void {
    this.onerror!({} as ErrorEvent)
  }
}

const task = (...nodes: GraphContent['nodes'][string][]): PreviewTask => ({
  content: {
    nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
  },
  selectedIds: new Set(),
})

const node = (x: number) => createNode(KINDS.panel, { position: { x, y: 0 } })

function setUp(t: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const workers: FakeWorker[] = []
  const shown: PreviewTask[] = []
  const obstacles: string[] = []
  const scheduler = createPreviewScheduler({
    createWorker() {
      const worker = new FakeWorker()
      workers.push(worker)
      return worker
    },
    onPreview: (_, of) => shown.push(of),
    onObstacle: (obstacle) => obstacles.push(obstacle),
  })
  return { scheduler, workers, shown, obstacles }
}

test('[WEB-50] given a solve that runs, when many others are requested, then only the newest follows', (t) => {
  const { scheduler, workers, shown } = setUp(t)
  const tasks = Array.from({ length: 50 }, (_, x) => task(node(x)))
  for (const each of tasks) scheduler.request(each)
  const [worker] = workers
  assert.equal(worker!.requests.length, 1)
  worker!.solved()
  assert.equal(worker!.requests.length, 2)
  worker!.solved()
  assert.equal(worker!.requests.length, 2)
  assert.deepEqual(shown, [tasks[0], tasks[49]])
})

test('[WEB-50] given a document that was solved, when a node changes, then only that node is sent', (t) => {
  const { scheduler, workers } = setUp(t)
  const [kept, changed, removed] = [node(0), node(1), node(2)]
  scheduler.request(task(kept, changed, removed))
  workers[0]!.solved()
  const next = { ...changed, nickName: 'x' }
  scheduler.request(task(kept, next))
  assert.deepEqual(workers[0]!.requests[1]!.change, {
    isWhole: false,
    nodes: [next],
    removedIds: [removed.instanceId],
  })
})

test('[WEB-50] given a solve that runs, when it is cancelled, then its result is not shown', (t) => {
  const { scheduler, workers, shown } = setUp(t)
  scheduler.request(task(node(0)))
  scheduler.request(task(node(1)))
  scheduler.cancel()
  workers[0]!.solved()
  assert.deepEqual(shown, [])
  assert.equal(workers[0]!.requests.length, 1)
})

test('[WEB-51] given a worker that does not answer, when its time is up, then it is ended, and a new one solves what waits', (t) => {
  const { scheduler, workers, shown, obstacles } = setUp(t)
  const quick = task(node(1))
  scheduler.request(task(node(0)))
  scheduler.request(quick)
  mock.timers.tick(5000)
  assert.ok(workers[0]!.isTerminated)
  assert.deepEqual(obstacles, ['size'])
  assert.equal(workers[1]!.requests[0]!.change.isWhole, true)
  workers[1]!.solved()
  assert.deepEqual(shown, [quick])
})

test('[WEB-51] given a worker that crashes, then the newest document is solved in another one, and after three crashes in none', (t) => {
  const { scheduler, workers, shown, obstacles } = setUp(t)
  const [first, newest] = [task(node(0)), task(node(1))]
  scheduler.request(first)
  scheduler.request(newest)
  workers[0]!.crash()
  workers[1]!.solved()
  assert.deepEqual(shown, [newest])
  scheduler.request(first)
  workers[1]!.crash()
  assert.deepEqual(obstacles, [])
  workers[2]!.crash()
  assert.deepEqual(obstacles, ['crash'])
  assert.equal(workers.length, 3)
})

test('[WEB-51] given a worker, when it crashes or is closed, then readers of ports get an answer', async (t) => {
  const { scheduler, workers } = setUp(t)
  scheduler.request(task(node(0)))
  const port = { nodeInstanceId: 'a', portInstanceId: 'b' }
  const first = scheduler.readPort(port, 0, 10)
  workers[0]!.crash()
  assert.equal(await first, undefined)
  const second = scheduler.readPort(port, 0, 10)
  scheduler.stop()
  assert.equal(await second, undefined)
})
