import type { GraphContent, PortReference } from '@meadow/contract'
import { type EditorSolution, readScene, type Scene } from '@meadow/contract/web'
import { useEffect, useState } from 'react'
import { createObservable, type Observed, useObserved } from '../document/live/observed.ts'
import { knowsLess } from '../document/preview/preview-controller.ts'
import type {
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
  /** Of the output ports, in their order; undefined where it is not known. */
  outputs: readonly (PortPage | undefined)[]
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

interface PlayerPreview {
  readonly state: Observed<PreviewState>
  /** Computes a content, unless it is computed already; undefined: nothing more is to be computed. */
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

/** How many values of an output are shown. */
export const OUTPUT_VALUES = 20

function createPlayerPreview(): PlayerPreview {
  const state = createObservable<PreviewState>({ result: undefined, trouble: undefined, running: undefined })
  let wanted: Wanted | undefined
  const scheduler = createPreviewScheduler({
    createWorker: createPreviewWorker,
    limits: PATIENCE,
    async onPreview({ summary, scene: bytes }, { content }) {
      const { outputs = [], solution } = wanted ?? {}
      if (knowsLess(summary, solution)) {
        fail('content', content)
        return
      }
      const scene = readScene(bytes)
      const pages = outputs.map((port) => scheduler.readPort(port, 0, OUTPUT_VALUES))
      const result = { content, summary, scene, outputs: await Promise.all(pages) }
      // A result that is no longer wanted is shown, as what it is, until the next one.
      const { running } = state.read()
      state.set({
        result,
        trouble: undefined,
        running: running?.content === content ? undefined : running,
      })
    },
    onObstacle: (reason, { content }) => fail(reason, content),
  })

  function fail(reason: PreviewTrouble['reason'], content: GraphContent): void {
    if (wanted?.content !== content) return
    state.set({ result: state.read().result, trouble: { reason, content }, running: undefined })
  }

  return {
    state,
    update(next) {
      const isSame = next?.content === wanted?.content
      wanted = next
      if (isSame) return
      const { result, running } = state.read()
      if (!next) {
        scheduler.cancel()
        state.set({ result, trouble: undefined, running: undefined })
        return
      }
      const { content } = next
      const since = running?.since ?? performance.now()
      state.set({ result, trouble: undefined, running: { content, since } })
      scheduler.request({ content, selectedIds: NONE })
    },
    stop() {
      const { result, running } = state.read()
      if (!running) return
      scheduler.stop()
      state.set({ result, trouble: { reason: 'stopped', content: running.content }, running: undefined })
    },
    close: scheduler.stop,
  }
}

/** Computes what is wanted in a worker, which is loaded when something is wanted for the first time. */
export function usePlayerPreview(wanted: Wanted | undefined) {
  const [preview, setPreview] = useState<PlayerPreview>()
  const isNeeded = wanted !== undefined
  const [wasNeeded, setWasNeeded] = useState(isNeeded)
  if (isNeeded && !wasNeeded) setWasNeeded(true)
  useEffect(() => {
    if (!wasNeeded) return undefined
    const created = createPlayerPreview()
    setPreview(created)
    return created.close
  }, [wasNeeded])
  useEffect(() => preview?.update(wanted), [preview, wanted])
  const state = useObserved(preview?.state ?? NO_PREVIEW)
  return { ...state, stop: preview?.stop }
}

const NOTHING: PreviewState = { result: undefined, trouble: undefined, running: undefined }
const NO_PREVIEW: Observed<PreviewState> = { read: () => NOTHING, subscribe: () => () => {} }
