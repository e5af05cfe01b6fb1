import { createHash } from 'node:crypto'

/** What a value was computed for: one value in one branch of one port. */
export interface ValueLocation {
  nodeInstanceId: string
  portInstanceId: string
  /** As on the wire: `{0;1}`. */
  path: string
  /** In the branch, from 0. */
  index: number
}

/** The text that stands for a place in a `Map`. */
export function toLocationKey({ nodeInstanceId, portInstanceId, path, index }: ValueLocation): string {
  return JSON.stringify([nodeInstanceId, portInstanceId, path, index])
}

/** Chosen once, for all ids that Meadow derives from names. Never to be changed: ids would change with it. */
const NAMESPACE = '5b0f8c7e-3d0a-4f56-9c43-6d2f2f7a91e4'

/** The id that a value keeps from solve to solve (decision 26): a UUID of version 5. */
export function createPlatformId(documentId: string, point: ValueLocation): string {
  const { nodeInstanceId, portInstanceId, path, index } = point
  return createUuidV5(NAMESPACE, JSON.stringify([documentId, nodeInstanceId, portInstanceId, path, index]))
}

/** The same for one member of a group, by its way down the groups. */
export function createMemberId(platformId: string, member: string): string {
  return createUuidV5(platformId, member)
}

/** The same for the layer of a node. */
export function createLayerId(documentId: string, nodeInstanceId: string): string {
  return createUuidV5(NAMESPACE, JSON.stringify([documentId, nodeInstanceId]))
}

/** A name-based UUID: the same for the same namespace and name, always. Source: RFC 9562, section 5.5. */
export function createUuidV5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
