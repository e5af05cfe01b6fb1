import { type CanvasPoint, MAX_PRESENCE_BYTES, type Presence } from '@meadow/contract'
import type { Person } from '../../access/sessions.store.ts'

const MAX_SELECTED = 2000

/** What of a presence that a client sent is passed on: what is known, in its form, under the name of who is signed in. */
export function readPresence(given: unknown, { userId, name }: Person): Presence | undefined {
  if (!isRecord(given) || JSON.stringify(given).length > MAX_PRESENCE_BYTES) return undefined
  const { cursor, selection, drag } = given
  return {
    user: { id: userId, name },
    cursor: isPoint(cursor) ? { x: cursor.x, y: cursor.y } : null,
    selection: Array.isArray(selection) ? selection.filter(isText).slice(0, MAX_SELECTED) : [],
    drag: isRecord(drag) ? readDrag(drag) : null,
  }
}

const readDrag = (drag: Record<string, unknown>): Record<string, CanvasPoint> =>
  Object.fromEntries(
    Object.entries(drag).flatMap(([id, place]) => (isPoint(place) ? [[id, { x: place.x, y: place.y }]] : [])),
  )

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string'

const isPoint = (value: unknown): value is CanvasPoint =>
  isRecord(value) && Number.isFinite(value.x) && Number.isFinite(value.y)
