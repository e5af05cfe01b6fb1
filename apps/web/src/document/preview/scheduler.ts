import type { GraphContent, PortReference } from '@meadow/contract'
import {
  type DrawStyle,
  listChanges,
  type Obstacle,
  type PortPage,
  type Preview,
  type PreviewLimits,
  type PreviewReply,
  type PreviewRequest,
  type PreviewSummary,
} from './preview-messages.ts'

/** The part of a `Worker` that is used here. */
export interface PreviewWorker {
  onmessage: ((event: MessageEvent<PreviewReply>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(request: PreviewRequest): void
  terminate(): void
}

/** What is to be solved and drawn. */
export interface PreviewTask {
  content: GraphContent
  /** Nodes whose geometry is drawn although their preview is off. */
  selectedIds: ReadonlySet<string>
  /** How geometry is drawn; by default `usual`. */
  style?: DrawStyle
}

/**
 * Solves documents in a worker, one at a time. While one is being solved, the newest of the others waits, and replaces
 * any that waited before: nothing queues up.
 */
export interface PreviewScheduler {
  /** Starts the worker, so that the first preview does not wait for it to load. */
  start(): void
  request(task: PreviewTask): void
  /** Forgets what waits. The result of what is being solved is dropped. */
  cancel(): void
  /** Forgets what waits, and ends the worker with what is being solved. The next request starts another worker. */
  stop(): void
  /** The data of a port in the last preview; undefined if it is not known. */
  readPort(port: PortReference, from: number, limit: number): Promise<PortPage | undefined>
}

export interface PreviewSchedulerParts {
  createWorker: () => PreviewWorker
  onPreview: (preview: Preview, task: PreviewTask) => void
  onObstacle: (obstacle: Obstacle | 'cyclic', task: PreviewTask) => void
  /** The limits of a solve; by default those of the editor, which keep up with a hand. */
  limits?: PreviewLimits
}

/**
 * The longest time of a solve, in milliseconds. A solve that has not ended itself by then is stuck in code that does
 * not look at the clock.
 */
const MAX_SOLVE_MS = 5000
/** How much later than the deadline of given limits a solve may end, in milliseconds. */
const GRACE_MS = 5000
/** The number of crashes after which a document is not solved again. */
const MAX_CRASHES = 3

interface Running {
  id: number
  task: PreviewTask
  isCancelled: boolean
  timer: ReturnType<typeof setTimeout>
}

export function createPreviewScheduler(parts: PreviewSchedulerParts): PreviewScheduler {
  const { createWorker, onPreview, onObstacle, limits } = parts
  const maxSolveMs = limits ? limits.deadlineMs + GRACE_MS : MAX_SOLVE_MS
  let worker: PreviewWorker | undefined
  let sent: GraphContent['nodes'] | undefined
  let summary: PreviewSummary | undefined
  let running: Running | undefined
  let waiting: PreviewTask | undefined
  let lastId = 0
  let crashes = 0
  const readers = new Map<number, (page: PortPage | undefined) => void>()

  function startWorker(): PreviewWorker {
    if (worker) return worker
    worker = createWorker()
    worker.onmessage = ({ data }) => receive(data)
    worker.onerror = () => crash()
    return worker
  }

  function stopWorker(): void {
    worker?.terminate()
    worker = undefined
    sent = undefined
    summary = undefined
    for (const resolve of readers.values()) resolve(undefined)
    readers.clear()
  }

  function run(task: PreviewTask): void {
    const id = ++lastId
    const change = listChanges(sent, task.content.nodes)
    const { selectedIds, style = 'usual' } = task
    const request = { type: 'solve', id, change, selectedIds: [...selectedIds], style, limits } as const
    startWorker().postMessage(request)
    sent = task.content.nodes
    running = { id, task, isCancelled: false, timer: setTimeout(giveUp, maxSolveMs) }
  }

  function runNext(): void {
    const next = waiting
    waiting = undefined
    if (next) run(next)
  }

  function finish(): Running | undefined {
    const finished = running
    clearTimeout(finished?.timer)
    running = undefined
    return finished
  }

  function receive(reply: PreviewReply): void {
    if (reply.type === 'port') {
      readers.get(reply.id)?.(reply.page)
      readers.delete(reply.id)
      return
    }
    const finished = finish()
    if (reply.type === 'solved') {
      const { panels, scene } = reply
      summary = reply.summary ?? summary
      if (finished && summary && !finished.isCancelled) onPreview({ summary, panels, scene }, finished.task)
    } else if (finished && !finished.isCancelled) onObstacle(reply.obstacle, finished.task)
    runNext()
  }

  /** Gives up the running solve and leaves its document to the server. A document that waits may be quicker. */
  function giveUp(): void {
    const finished = finish()
    stopWorker()
    if (finished && !finished.isCancelled) onObstacle('size', finished.task)
    runNext()
  }

  /** Solves the newest document again, in another worker. */
  function crash(): void {
    const finished = finish()
    stopWorker()
    crashes++
    const task = waiting ?? (finished?.isCancelled ? undefined : finished?.task)
    waiting = undefined
    if (!task) return
    if (crashes < MAX_CRASHES) run(task)
    else onObstacle('crash', task)
  }

  return {
    start: () => void startWorker(),
    request(task) {
      if (running) waiting = task
      else run(task)
    },
    cancel() {
      waiting = undefined
      if (running) running.isCancelled = true
    },
    stop() {
      waiting = undefined
      finish()
      stopWorker()
    },
    readPort(port, from, limit) {
      if (!worker) return Promise.resolve(undefined)
      const { promise, resolve } = Promise.withResolvers<PortPage | undefined>()
      const id = ++lastId
      readers.set(id, resolve)
      worker.postMessage({ type: 'readPort', id, port, from, limit })
      return promise
    },
  }
}
