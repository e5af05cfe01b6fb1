import type { EncodedGeometry } from '@meadow/contract'
import rhino3dm, { type GeometryBase } from 'rhino3dm'

/** The library in the thread of the test: it verifies written files and creates files to read. */
export const rhino = await rhino3dm()

export type TestObject = GeometryBase & {
  isValidWithLog: readonly [isValid: boolean, log: string]
  delete(): void
}

export function encode(object: { encode(): unknown }): EncodedGeometry {
  return object.encode() as EncodedGeometry
}

/** Fails where the library cannot read it. */
export function decode<T = TestObject>(encoded: EncodedGeometry | undefined): T {
  const object = (rhino.CommonObject.decode as unknown as (encoded: unknown) => T | null)(encoded)
  if (!object) throw new Error('The library cannot read it.')
  return object
}

/** Smallest corner, then largest. */
export function getBox(object: GeometryBase): number[] {
  const { min, max } = object.getBoundingBox(true) as unknown as { min: number[]; max: number[] }
  return [...min, ...max]
}
