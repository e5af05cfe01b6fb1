import type { PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { formatPinKey, PINNED, type PinSide } from '../facts/pin-key.ts'
import { getRoots } from '../layout.ts'
import { LiveEditError } from './edit-error.ts'
import { getNodeOfPort } from './get-parts.ts'

/** Pins a port among the inputs or the outputs that the document shows to others. */
export function pinPort(doc: Y.Doc, side: PinSide, port: PortReference, origin?: unknown): void {
  getNodeOfPort(doc, port)
  const { pins } = getRoots(doc)
  const key = formatPinKey(side, port)
  if (!pins.has(key)) doc.transact(() => pins.set(key, PINNED), origin)
}

/** Takes a pin away. */
export function unpinPort(doc: Y.Doc, side: PinSide, port: PortReference, origin?: unknown): void {
  const { pins } = getRoots(doc)
  const key = formatPinKey(side, port)
  if (!pins.has(key)) throw new LiveEditError('not_found', `The port ${port.portInstanceId} is not pinned.`)
  doc.transact(() => pins.delete(key), origin)
}
