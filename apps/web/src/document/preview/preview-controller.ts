import type { GraphContent, Node, NodeState, PortReference } from '@meadow/contract'
import { type EditorSolution, readScene, type Scene } from '@meadow/contract/web'
import { fingerprintOf } from '@meadow/document'
import { createObservable, type Observed } from '../live/observed.ts'
import type { Drafts } from './drafts.ts'
import type { Obstacle, PortPage, Preview, PreviewSummary } from './preview-messages.ts'
import { createPreviewScheduler, type PreviewTask, type PreviewWorker } from './scheduler.ts'

/** What the editor shows: the document, and the last stored solution of it. */
export interface ShownDocument {
  content: GraphContent
  solution: EditorSolution | undefined
  selectedIds: ReadonlySet<string>
}

/**
 * The preview of a document: what is computed in this window while there is no stored solution of what the window shows.
 * It is solved again after each change, and dropped when the stored solution arrives.
 */
export interface PreviewController {
  /**
   * The summary; undefined while the stored solution is shown. It stays the same object while the structure of the data
   * does.
   */
  readonly summary: Observed<PreviewSummary | undefined>
  readonly scene: Observed<Scene | undefined>
  /** The data of panels with wires, by node id. */
  readonly panels: Observed<ReadonlyMap<string, PortPage>>
  /** How many previews there were. */
  readonly count: Observed<number>
  /** Loads the worker and solves the document once, without showing the result: the first change is then quick. */
  start(): void
  update(shown: ShownDocument): void
  /** The data of a port in the preview. */
  readPort(port: PortReference, from: number, limit: number): Promise<PortPage | undefined>
  close(): void
}

export interface PreviewControllerParts {
  createWorker: () => PreviewWorker
  drafts: Drafts
  /**
   * Writes drafts into the document. Called while a value is dragged in a document that only the server can solve, each
   * time that it has solved what was written before.
   */
  writeDrafts: (drafts: ReadonlyMap<string, Node>) => void
}

const NO_PANELS: ReadonlyMap<string, PortPage> = new Map()

export function createPreviewController({
  createWorker,
  drafts,
  writeDrafts,
}: PreviewControllerParts): PreviewController {
  const summary = createObservable<PreviewSummary | undefined>(undefined)
  const scene = createObservable<Scene | undefined>(undefined)
  const panels = createObservable(NO_PANELS)
  const count = createObservable(0)
  /** The fingerprint of the content with which each solution without a fingerprint was first shown. */
  const firstShown = new Map<string, string>()
  let shown: ShownDocument | undefined
  /** The newest request. */
  let last: PreviewTask | undefined
  /** Why the newest request has no preview. */
  let obstacle: Obstacle | undefined

  const scheduler = createPreviewScheduler({ createWorker, onPreview: show, onObstacle: stop })

  function show(preview: Preview, task: PreviewTask): void {
    if (knowsLess(preview.summary, shown?.solution)) {
      stop('content', task)
      return
    }
    obstacle = undefined
    panels.set(preview.panels)
    scene.set(readScene(preview.scene))
    if (summary.read() !== preview.summary) summary.set(preview.summary)
    count.set(count.read() + 1)
  }

  /** What was shown before stays visible until the server has solved the document, or reports the cycle in it. */
  function stop(reason: Obstacle | 'cyclic', task: PreviewTask): void {
    if (reason === 'cyclic' || task !== last) return
    obstacle = reason
    giveServerTurn()
  }

  function clear(): void {
    last = undefined
    if (obstacle !== 'crash') obstacle = undefined
    scheduler.cancel()
    if (!summary.read()) return
    panels.set(NO_PANELS)
    scene.set(undefined)
    summary.set(undefined)
  }

  /** Whether a stored solution is of a content. */
  function isSolved(content: GraphContent, solution: EditorSolution | undefined): boolean {
    if (!solution) return Object.keys(content.nodes).length === 0
    const fingerprint = fingerprintOf(content)
    if (!solution.fingerprint && !firstShown.has(solution.id)) firstShown.set(solution.id, fingerprint)
    return (solution.fingerprint ?? firstShown.get(solution.id)) === fingerprint
  }

  function run(): void {
    if (!shown) return
    const { content, solution, selectedIds } = shown
    const current = drafts.apply(content)
    if (isSolved(current, solution)) {
      clear()
      return
    }
    giveServerTurn()
    if (obstacle === 'crash' || (last?.content === current && last.selectedIds === selectedIds)) return
    last = { content: current, selectedIds }
    scheduler.request(last)
  }

  /** Writes the drafts into the document once the server has solved what was written before. */
  function giveServerTurn(): void {
    if (shown && obstacle && drafts.read().size > 0 && isSolved(shown.content, shown.solution))
      writeDrafts(drafts.read())
  }

  function start(): void {
    scheduler.start()
    if (!shown || last) return
    scheduler.request({ content: shown.content, selectedIds: shown.selectedIds })
    scheduler.cancel()
  }

  const unsubscribe = drafts.subscribe(run)
  return {
    summary,
    scene,
    panels,
    count,
    start,
    update(next) {
      shown = next
      drafts.settle(next.content)
      run()
    },
    readPort: scheduler.readPort,
    close() {
      unsubscribe()
      scheduler.stop()
    },
  }
}

const UNSOLVED: ReadonlySet<NodeState | undefined> = new Set<NodeState>(['unsupported', 'unknown'])

/** Whether a preview has no data for a node that the stored solution has data for: the server can do better. */
export function knowsLess({ nodes }: PreviewSummary, solution: EditorSolution | undefined): boolean {
  return Object.entries(solution?.nodes ?? {}).some(
    ([id, { state }]) => state && !UNSOLVED.has(state) && UNSOLVED.has(nodes[id]?.state),
  )
}
