import { hash } from 'node:crypto'

/** The location of a value in a solution: one value in one branch of one port. */
export interface ValueLocation {
  nodeInstanceId: string
  portInstanceId: string
  /** The path of the branch in the wire format: `{0;1}`. */
  path: string
  /** The index in the branch, from 0. */
  index: number
}

/** A key for a location in a `Map`. */
export function toLocationKey({ nodeInstanceId, portInstanceId, path, index }: ValueLocation): string {
  return JSON.stringify([nodeInstanceId, portInstanceId, path, index])
}

/**
 * The namespace of all ids that Meadow derives from names. It must never change, because the ids would change.
 */
const NAMESPACE = '5b0f8c7e-3d0a-4f56-9c43-6d2f2f7a91e4'

const toBytes = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const NAMESPACE_BYTES = toBytes(NAMESPACE)

/** The id of a value, stable between solves (decision 26): a UUID of version 5. */
export const createPlatformId = (documentId: string, { index, ...branch }: ValueLocation): string =>
  createPlatformIds(documentId, branch)(index)

/** Returns a function that creates the ids of the values of one branch, in a third of the time. */
export function createPlatformIds(
  documentId: string,
  { nodeInstanceId, portInstanceId, path }: Omit<ValueLocation, 'index'>,
): (index: number) => string {
  const start = JSON.stringify([documentId, nodeInstanceId, portInstanceId, path]).slice(0, -1)
  return (index) => hashName(NAMESPACE_BYTES, `${start},${index}]`)
}

/** The id of a member of a group, from its index path. */
export function createMemberId(platformId: string, member: string): string {
  return createUuidV5(platformId, member)
}

/** The id of the layer of a node. */
export function createLayerId(documentId: string, nodeInstanceId: string): string {
  return createUuidV5(NAMESPACE, JSON.stringify([documentId, nodeInstanceId]))
}

/** The id of the layer of a group. */
export function createGroupLayerId(documentId: string, groupId: string): string {
  return createUuidV5(NAMESPACE, JSON.stringify([documentId, 'group', groupId]))
}

/** The id of a material, from what it looks like. */
export function createMaterialId(documentId: string, looks: string): string {
  return createUuidV5(NAMESPACE, JSON.stringify([documentId, 'material', looks]))
}

/** A name-based UUID, deterministic for a namespace and name. Source: RFC 9562, section 5.5. */
export const createUuidV5 = (namespace: string, name: string): string => hashName(toBytes(namespace), name)

function hashName(namespace: Buffer, name: string): string {
  const hex = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]))
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
