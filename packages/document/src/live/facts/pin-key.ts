import type { PortReference } from '@meadow/contract'
import { isId } from '../shapes/node-shape.ts'
import { findFactKey, formatFactKey } from './fact-key.ts'

/** Where a port is pinned in the editor. */
export type PinSide = 'inputs' | 'outputs'

/** What stands under the key of a pin; the key says all. */
export const PINNED = 'true'

export function formatPinKey(side: PinSide, { nodeInstanceId, portInstanceId }: PortReference): string {
  return formatFactKey(side, nodeInstanceId, portInstanceId)
}

/** Undefined for text that is no pin's key. */
export function findPin(key: string): { side: PinSide; port: PortReference } | undefined {
  const found = findFactKey(key)
  if (!found || (found.name !== 'inputs' && found.name !== 'outputs')) return undefined
  const [nodeInstanceId, portInstanceId, ...others] = found.ids
  if (!isId(nodeInstanceId) || !isId(portInstanceId) || others.length > 0) return undefined
  return { side: found.name, port: { nodeInstanceId: nodeInstanceId!, portInstanceId: portInstanceId! } }
}
