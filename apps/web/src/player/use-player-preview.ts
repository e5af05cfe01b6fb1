import type { GraphContent, PortReference } from '@meadow/contract'
import { type EditorSolution, RESULT_VALUES, readScene, type Scene } from '@meadow/contract/web'
import { useEffect, useState } from 'react'
import { createObservable, type Observed, useObserved } from '../document/live/observed.ts'
import { knowsLess } from '../document/preview/preview-controller.ts'
import type {
  DrawStyle,
  Obstacle,
  PortPage,
  PreviewLimits,
  PreviewSummary,
} from '../document/preview/preview-messages.ts'
import { createPreviewScheduler } from '../document/preview/scheduler.ts'
import { createPreviewWorker } from '../document/preview/use-preview.ts'

/** A visitor waits longer than a hand that drags, and sees that something is computed. */
const PATIENCE: PreviewLimits = { deadlineMs: 60_000, maxBytes: 2 ** 30, maxVertices: 4_000_000 }
const NONE: ReadonlySet<string> = new Set()

/** What was computed of a content in this window. */
export interface PreviewResult {
  content: GraphContent
  summary: PreviewSummary
  scene: Scene
  /** The values of the output ports, in their order; undefined where they are not known. */
  outputs: readonly (PortPage | undefined)[]
  /** Whether curves and bent faces have few pieces: a finer scene follows. */
  isRough: boolean
}

/** Why a content has no result. */
export interface PreviewTrouble {
  content: GraphContent
  reason: Obstacle | 'cyclic' | 'stopped'
}

export interface PreviewState {
  result: PreviewResult | undefined
  trouble: PreviewTrouble | undefined
  /** What is computed, and since when, in milliseconds of `performance.now()`. */
  running: { content: GraphContent; since: number } | undefined
}

/**
 * The longest solve, in milliseconds, that ends between two movements of a hand. If one takes longer, geometry is rough
 * until the hand rests.
 */
const QUICK_MS = 60
/** The time without a change after which the hand rests, in milliseconds. */
const REST_MS = 200

interface PlayerPreview {
  readonly state: Observed<PreviewState>
  /** Loads the solver and computes a content once, without showing the result: the first change is then quick. */
  prepare(wanted: Wanted): void
  /** Computes a content, unless it is computed already; undefined ends computing. */
  update(wanted: Wanted | undefined): void
  stop(): void
  close(): void
}

interface Wanted {
  content: GraphContent
  outputs: readonly PortReference[]
  /** The stored solution, which may know more. */
  solution: EditorSolution | undefined
}

function createPlayerPreview(): PlayerPreview {
  const state = createObservable<PreviewState>({ result: undefined, trouble: undefined, running: undefined })
  let wanted: Wanted | undefined
  let rest: ReturnType<typeof setTimeout> | undefined
  /** What is computed without being shown. */
  let prepared: Wanted | undefined
  let requestedAt = 0
  /** How long the last rough preview took, and how long one in plain detail takes, in milliseconds. */
  let roughMs = 0
  let plainMs: number | undefined
  const scheduler = createPreviewScheduler({
    createWorker: createPreviewWorker,
    limits: PATIENCE,
    async onPreview({ summary, scene: bytes }, { content, style }) {
      const isRough = style === 'rough'
      const tookMs = performance.now() - requestedAt
      if (isRough) roughMs = tookMs
      else plainMs = tookMs + roughMs
      const isPrepared = prepared?.content === content
      const { outputs = [], solution } = (isPrepared ? prepared : wanted) ?? {}
      if (knowsLess(summary, solution)) {
        fail('content', content)
        return
      }
      if (isPrepared && wanted?.content !== content) return
      const scene = readScene(bytes)
      const pages = await Promise.all(outputs.map((port) => scheduler.readPort(port, 0, RESULT_VALUES)))
      const { running } = state.read()
      // A result that is no longer wanted is shown until the next one, as a result of other values.
      state.set({
        result: { content, summary, scene, outputs: pages, isRough },
        trouble: undefined,
        running: running?.content === content ? undefined : running,
      })
      if (isRough && wanted?.content === content) rest = setTimeout(request, REST_MS, content, 'plain')
    },
    onObstacle: (reason, { content }) => fail(reason, content),
  })

  function request(content: GraphContent, style: DrawStyle): void {
    clearTimeout(rest)
    requestedAt = performance.now()
    scheduler.request({ content, selectedIds: NONE, style })
  }

  function fail(reason: PreviewTrouble['reason'], content: GraphContent): void {
    if (wanted ? wanted.content !== content : prepared?.content !== content) return
    state.set({ result: state.read().result, trouble: { reason, content }, running: undefined })
  }

  return {
    state,
    prepare(next) {
      if (wanted || prepared) return
      prepared = next
      request(next.content, 'plain')
    },
    update(next) {
      const isSame = next?.content === wanted?.content
      wanted = next
      if (isSame) return
      clearTimeout(rest)
      const { result, running } = state.read()
      if (!next) {
        scheduler.cancel()
        state.set({ result, trouble: undefined, running: undefined })
        return
      }
      const { content } = next
      const since = running?.since ?? performance.now()
      state.set({ result, trouble: undefined, running: { content, since } })
      const isSlow = plainMs !== undefined && plainMs > QUICK_MS
      // After a rough preview, the plain one only draws what is solved already.
      roughMs = 0
      request(content, isSlow ? 'rough' : 'plain')
    },
    stop() {
      clearTimeout(rest)
      const { result, running } = state.read()
      if (!running) return
      scheduler.stop()
      state.set({ result, trouble: { reason: 'stopped', content: running.content }, running: undefined })
    },
    close() {
      clearTimeout(rest)
      scheduler.stop()
    },
  }
}

/**
 * Computes what is wanted in a worker, which is loaded when something is wanted for the first time, or when it is to be
 * prepared for `unchanged`, what the page shows before that.
 */
export function usePlayerPreview(wanted: Wanted | undefined, unchanged: Wanted) {
  const [preview, setPreview] = useState<PlayerPreview>()
  const [isAwaited, setIsAwaited] = useState(false)
  const isNeeded = wanted !== undefined || isAwaited
  const [wasNeeded, setWasNeeded] = useState(isNeeded)
  if (isNeeded && !wasNeeded) setWasNeeded(true)
  useEffect(() => {
    if (!wasNeeded) return undefined
    const created = createPlayerPreview()
    setPreview(created)
    return created.close
  }, [wasNeeded])
  useEffect(() => preview?.update(wanted), [preview, wanted])
  useEffect(() => {
    if (isAwaited) preview?.prepare(unchanged)
  }, [preview, isAwaited, unchanged])
  const state = useObserved(preview?.state ?? NO_PREVIEW)
  return { ...state, stop: preview?.stop, prepare: () => setIsAwaited(true) }
}

const NOTHING: PreviewState = { result: undefined, trouble: undefined, running: undefined }
const NO_PREVIEW: Observed<PreviewState> = { read: () => NOTHING, subscribe: () => () => {} }
