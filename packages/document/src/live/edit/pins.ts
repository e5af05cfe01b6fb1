import type { PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { getRoots } from '../schema/layout.ts'
import { formatPinKey, PINNED, type PinSide } from '../schema/pin-key.ts'
import { LiveEditError } from './edit-error.ts'
import { getNodeOfPort } from './find-parts.ts'
import { listOutOfOrder } from './replace-content.ts'

/** Pins a port to the inputs or outputs of the document. */
export function pinPort(doc: Y.Doc, side: PinSide, port: PortReference, origin?: unknown): void {
  getNodeOfPort(doc, port)
  const { pins } = getRoots(doc)
  const key = formatPinKey(side, port)
  if (!pins.has(key)) doc.transact(() => pins.set(key, PINNED), origin)
}

/** Removes a pin. */
export function unpinPort(doc: Y.Doc, side: PinSide, port: PortReference, origin?: unknown): void {
  const { pins } = getRoots(doc)
  const key = formatPinKey(side, port)
  if (!pins.has(key)) throw new LiveEditError('not_found', `The port ${port.portInstanceId} is not pinned.`)
  doc.transact(() => pins.delete(key), origin)
}

/**
 * Puts the pins of a side in the order of `ports`; ports that are not pinned are left out. Pins have the order in which
 * they were made (LD-6), so those that come too early are made again: every version of Meadow reads them in this order.
 */
export function orderPins(
  doc: Y.Doc,
  side: PinSide,
  ports: readonly PortReference[],
  origin?: unknown,
): void {
  const { pins } = getRoots(doc)
  const wanted = ports.map((port) => formatPinKey(side, port)).filter((key) => pins.has(key))
  const late = listOutOfOrder(
    doc.clientID,
    pins,
    wanted.map((key) => ({ key, isEqual: true })),
  )
  doc.transact(() => {
    for (const key of late) pins.set(key, PINNED)
  }, origin)
}
