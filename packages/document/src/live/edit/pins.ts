import type { PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { getRoots } from '../schema/layout.ts'
import { formatPinKey, PINNED, type PinSide } from '../schema/pin-key.ts'
import { LiveEditError } from './edit-error.ts'
import { getNodeOfPort } from './find-parts.ts'

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
