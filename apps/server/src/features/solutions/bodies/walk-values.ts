import type { ValueLocation } from '@meadow/model'
import type { JsonCursor } from './json-cursor.ts'

/** A value in the `data` of a solution, and where it stands in the bytes. */
export interface FoundValue extends ValueLocation {
  /** Of its braces: the first byte, and the one behind the last. */
  start: number
  end: number
}

/** Which ports to look into; the others are passed over. */
export type WantsPort = (nodeInstanceId: string, portInstanceId: string) => boolean

const OPEN_OBJECT = 0x7b

/** The values of a solution (decision 24), with the cursor at its `data`. Nulls are not among them. */
export function* walkValues(cursor: JsonCursor, wants: WantsPort = () => true): Generator<FoundValue> {
  for (const nodeInstanceId of cursor.keys()) {
    if (nodeInstanceId === 'solutionId') {
      cursor.skip()
      continue
    }
    for (const portInstanceId of cursor.keys()) {
      if (wants(nodeInstanceId, portInstanceId)) yield* walkTree(cursor, nodeInstanceId, portInstanceId)
      else cursor.skip()
    }
  }
}

function* walkTree(
  cursor: JsonCursor,
  nodeInstanceId: string,
  portInstanceId: string,
): Generator<FoundValue> {
  for (const key of cursor.keys()) {
    if (key !== 'branches') {
      cursor.skip()
      continue
    }
    for (const _ of cursor.items()) {
      let path = ''
      for (const member of cursor.keys()) {
        if (member === 'path') path = cursor.readString()
        else if (member !== 'values') cursor.skip()
        else yield* walkList(cursor, { nodeInstanceId, portInstanceId, path })
      }
    }
  }
}

function* walkList(cursor: JsonCursor, branch: Omit<ValueLocation, 'index'>): Generator<FoundValue> {
  for (const index of cursor.items()) {
    const start = cursor.at
    cursor.skip()
    if (cursor.bytes[start] === OPEN_OBJECT) yield { ...branch, index, start, end: cursor.at }
  }
}
