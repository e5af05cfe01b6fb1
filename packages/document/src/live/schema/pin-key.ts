import type { PortReference } from '@meadow/contract'
import { isId } from './graph-shapes.ts'
import { findPropertyKey, formatPropertyKey } from './property-key.ts'

/** The list that a port is pinned to. */
export type PinSide = 'inputs' | 'outputs'

/** The value of each pin; its key identifies the port. */
export const PINNED = 'true'

export function formatPinKey(side: PinSide, { nodeInstanceId, portInstanceId }: PortReference): string {
  return formatPropertyKey(side, nodeInstanceId, portInstanceId)
}

/** Reads the key of a pin; undefined for any other text. */
export function findPin(key: string): { side: PinSide; port: PortReference } | undefined {
  const found = findPropertyKey(key)
  if (!found || (found.name !== 'inputs' && found.name !== 'outputs')) return undefined
  const [nodeInstanceId, portInstanceId, ...others] = found.ids
  if (!isId(nodeInstanceId) || !isId(portInstanceId) || others.length > 0) return undefined
  return { side: found.name, port: { nodeInstanceId: nodeInstanceId!, portInstanceId: portInstanceId! } }
}
