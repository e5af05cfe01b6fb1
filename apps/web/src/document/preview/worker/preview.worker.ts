import type { PreviewReply, PreviewRequest } from '../preview-messages.ts'
import { createPreviewer } from './previewer.ts'

/*
 * The worker that solves previews. It answers each message with one message. The page sends a document after the answer
 * for the one before.
 */

/** The part of the global scope of a worker that is used here. The library `dom` declares that of a page. */
interface WorkerScope {
  onmessage: (event: MessageEvent<PreviewRequest>) => void
  postMessage(reply: PreviewReply, transfer?: Transferable[]): void
}

const scope = globalThis as unknown as WorkerScope
const previewer = createPreviewer()

/** An error ends the worker: the page starts another one. */
scope.onmessage = ({ data }) => void answer(data).catch(reportError)

async function answer(request: PreviewRequest): Promise<void> {
  if (request.type === 'readPort') {
    const { id, port, from, limit } = request
    scope.postMessage({ type: 'port', id, page: previewer.readPort(port, from, limit) })
    return
  }
  const { id, change, limits, ...view } = request
  const outcome = await previewer.solve(change, view, limits)
  if ('obstacle' in outcome) {
    scope.postMessage({ type: 'unsolved', id, ...outcome })
    return
  }
  const scene = join(outcome.scene)
  scope.postMessage({ type: 'solved', id, ...outcome, scene }, [scene])
}

function join(pieces: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes.buffer
}
