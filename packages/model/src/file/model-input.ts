import type { Colour, Geometry, Opaque } from '@meadow/solver'
import type { ValueLocation } from './value-location.ts'

/** A value to put into a model file, and where it comes from. */
export interface ModelValue extends ValueLocation {
  /** What the solver only passed on is written as it came. */
  value: Geometry | Opaque
  nodeName: string
  portName: string
  /** What it is drawn with; otherwise its layer's. */
  colour?: Colour
}

export const UNITS = ['none', 'millimeters', 'centimeters', 'meters', 'inches', 'feet'] as const
export type ModelUnits = (typeof UNITS)[number]

export interface ModelOptions {
  documentId: string
  solutionId?: string
  /** The form of the file: 7 opens in Rhino 7 and later, 8 in Rhino 8 and later. */
  archiveVersion: 7 | 8
  units: ModelUnits
  /** Stands in the file as its date, to the second. */
  savedAt: Date
}

/** Something to say of a value. */
export interface ValueRemark extends ValueLocation {
  reason: string
}

/** A model file, and what to check it by when it is read. */
export interface WrittenModel {
  bytes: Uint8Array
  /** Of `bytes`, in lower-case hex. */
  sha256: string
  /** Each member of a group is an object. */
  objectCount: number
  /** Values, or members of them, that are not in the file: openNURBS has no object for them. */
  unsupported: ValueRemark[]
  /** Those that are in it though openNURBS calls them invalid, in its words. */
  invalid: ValueRemark[]
}
