import type { Colour, Geometry, Opaque } from '@meadow/solver'
import type { ValueLocation } from './value-location.ts'

/** A value for a model file, and its origin. */
export interface ModelValue extends ValueLocation {
  /** Opaque values are written unchanged. */
  value: Geometry | Opaque
  nodeName: string
  portName: string
  /** The colour of the object; by default that of its layer. */
  colour?: Colour
}

export const UNITS = ['none', 'millimeters', 'centimeters', 'meters', 'inches', 'feet'] as const
export type ModelUnits = (typeof UNITS)[number]

export interface ModelOptions {
  documentId: string
  solutionId?: string
  /** The archive version: 7 opens in Rhino 7 and later, 8 in Rhino 8 and later. */
  archiveVersion: 7 | 8
  units: ModelUnits
  /** Written to the file as its dates, with a resolution of a second. */
  savedAt: Date
}

/** A note about a value. */
export interface ValueRemark extends ValueLocation {
  reason: string
}

/** A model file, and the data that verifies it when it is read. */
export interface WrittenModel {
  bytes: Uint8Array
  /** Of `bytes`, in lower-case hex. */
  sha256: string
  /** Each member of a group is an object. */
  objectCount: number
  /** Values, or members of groups, that the file lacks because openNURBS has no object for them. */
  unsupported: ValueRemark[]
  /** Values in the file that openNURBS reports as invalid, with its reason. */
  invalid: ValueRemark[]
}
