import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { EncodedGeometry } from '@meadow/contract'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { walkModel } from '../walker/walk-model.ts'
import { USER_STRING } from './user-strings.ts'
import { toLocationKey } from './value-location.ts'

/** The properties recorded when the file was written. */
export interface ExpectedModel {
  /** The SHA-256 of the file, in lower-case hex. */
  sha256: string
  /** The size of the file in bytes. */
  length: number
  objectCount: number
}

/** The geometry by `toLocationKey`, or the reason why it cannot be read. */
export type ModelGeometry = { geometry: Map<string, EncodedGeometry> } | { reason: string }

/**
 * Reads the geometry of a model file, from its bytes or path. Only a file that is byte for byte what was
 * written is accepted. Members of groups are omitted: a group has no openNURBS object. Never fails: a missing,
 * truncated or damaged file returns a reason.
 */
export async function readModelGeometry(
  model: Uint8Array | string,
  expected: ExpectedModel,
): Promise<ModelGeometry> {
  try {
    const bytes = typeof model === 'string' ? await readFile(model) : model
    return readGeometries(bytes, expected)
  } catch (error) {
    return {
      reason: `The model file cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

function readGeometries(bytes: Uint8Array, expected: ExpectedModel): ModelGeometry {
  if (bytes.length !== expected.length) {
    throw new ModelFault(`it has ${bytes.length} bytes, not ${expected.length}`)
  }
  if (createHash('sha256').update(bytes).digest('hex') !== expected.sha256) {
    throw new ModelFault('its bytes are not those that were written')
  }
  const geometry = new Map<string, EncodedGeometry>()
  let objectCount = 0
  for (const object of walkModel(bytes)) {
    objectCount++
    const key = findKey(object.userStrings)
    if (key !== undefined) geometry.set(key, object.encode())
  }
  if (objectCount !== expected.objectCount) {
    throw new ModelFault(`it has ${objectCount} objects, not ${expected.objectCount}`)
  }
  return { geometry }
}

function findKey(strings: ReadonlyMap<string, string>): string | undefined {
  const nodeInstanceId = strings.get(USER_STRING.node)
  const portInstanceId = strings.get(USER_STRING.port)
  const path = strings.get(USER_STRING.path)
  const index = strings.get(USER_STRING.index)
  const isWhole = nodeInstanceId && portInstanceId && path && index && !strings.has(USER_STRING.member)
  return isWhole ? toLocationKey({ nodeInstanceId, portInstanceId, path, index: Number(index) }) : undefined
}
