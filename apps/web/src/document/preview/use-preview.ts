import { useEffect, useState } from 'react'
import type { LiveSession } from '../live/live-session.ts'
import type { Drafts } from './drafts.ts'
import { createPreviewController, type PreviewController, type ShownDocument } from './preview-controller.ts'

export const createPreviewWorker = () =>
  new Worker(new URL('./worker/preview.worker.ts', import.meta.url), { type: 'module', name: 'preview' })

/** The time in milliseconds after which even a busy page loads the worker. */
const IDLE_TIMEOUT_MS = 5000

/**
 * Returns the preview of a document with the values that are being dragged in it; undefined for readers of a public
 * document, which does not change here.
 */
export function usePreview(
  live: LiveSession | undefined,
  drafts: Drafts,
  shown: ShownDocument,
): PreviewController | undefined {
  const [preview, setPreview] = useState<PreviewController>()
  useEffect(() => {
    if (!live) return undefined
    const { writeDrafts, endStep } = live
    const created = createPreviewController({ createWorker: createPreviewWorker, drafts, writeDrafts })
    setPreview(created)
    // Who only reads waits for the first change of somebody else.
    const cancelIdle = live.mayEdit ? whenIdle(created.start) : () => {}
    const unsubscribe = drafts.subscribe(() => drafts.read().size === 0 && endStep())
    return () => {
      cancelIdle()
      unsubscribe()
      created.close()
    }
  }, [live, drafts])
  const { content, solution, selectedIds } = shown
  useEffect(
    () => preview?.update({ content, solution, selectedIds }),
    [preview, content, solution, selectedIds],
  )
  return preview
}

/** Calls once nothing else is to be done. Safari has no `requestIdleCallback`. */
function whenIdle(call: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const handle = requestIdleCallback(call, { timeout: IDLE_TIMEOUT_MS })
    return () => cancelIdleCallback(handle)
  }
  const handle = setTimeout(call, IDLE_TIMEOUT_MS / 2)
  return () => clearTimeout(handle)
}
