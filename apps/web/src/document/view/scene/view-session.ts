import { Vector3 } from 'three'
import type { Viewpoint } from '../camera/framing.ts'
import type { Part } from './looks.ts'

/** What the view of a document keeps while it is not shown: when panes are switched, and when another document is open. */
export interface ViewSession {
  viewpoint?: Viewpoint
  hidden: readonly Part[]
  isolated: readonly Part[] | undefined
}

/** The number of documents whose sessions are kept: those that were shown last. */
const MAX_SESSIONS = 50
const sessions = new Map<string, ViewSession>()

export function openViewSession(documentId: string): ViewSession {
  const session = sessions.get(documentId) ?? { hidden: [], isolated: undefined, ...recallCamera(documentId) }
  // The order of a map is that of insertion: the first one was used longest ago.
  sessions.delete(documentId)
  sessions.set(documentId, session)
  if (sessions.size > MAX_SESSIONS) sessions.delete(sessions.keys().next().value!)
  return session
}

const keyOf = (documentId: string) => `meadow.camera.${documentId}`

/** Keeps the camera when the page is reloaded. */
export function storeCamera(documentId: string, { target, direction, span, isParallel }: Viewpoint): void {
  const camera = { target: target.toArray(), direction: direction.toArray(), span, isParallel }
  try {
    sessionStorage.setItem(keyOf(documentId), JSON.stringify(camera))
  } catch {
    // Storage may be full or forbidden: the camera is kept until the page is reloaded.
  }
}

function recallCamera(documentId: string): { viewpoint?: Viewpoint } {
  try {
    const { target, direction, span, isParallel } = JSON.parse(
      sessionStorage.getItem(keyOf(documentId)) ?? '',
    )
    const viewpoint = {
      target: new Vector3().fromArray(target),
      direction: new Vector3().fromArray(direction).normalize(),
      span: Number(span),
      isParallel: isParallel === true,
    }
    const isUsable = [...viewpoint.target, ...viewpoint.direction, span].every(Number.isFinite) && span > 0
    return isUsable ? { viewpoint } : {}
  } catch {
    return {}
  }
}
