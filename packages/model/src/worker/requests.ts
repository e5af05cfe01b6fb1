import type { EncodedGeometry } from '@meadow/contract'
import type { ModelOptions } from '../file/model-input.ts'
import type { ModelPlan } from '../file/plan-objects.ts'

/** Two opposite corners, the smallest coordinates first. */
export type BoundingBox = [min: [number, number, number], max: [number, number, number]]

/** What the library's worker is asked, by name. */
export interface Asked {
  measure: EachObject
  simplify: EachObject
  write: { plan: ModelPlan; options: ModelOptions }
  /** The bytes go over to the worker: whoever asks has them no more. */
  convert: { bytes: Uint8Array<ArrayBuffer>; archiveVersion: ModelOptions['archiveVersion'] }
}

export interface EachObject {
  geometries: EncodedGeometry[]
  /** Shared memory of one number: the place of the object that the worker is at. */
  progress: Int32Array
}

/** What it answers. */
export interface Answered {
  /** Null where an object has no bounding box or cannot be read. */
  measure: (BoundingBox | null)[]
  /** The object as one of a class that this package reads itself; null where that cannot be. */
  simplify: (EncodedGeometry | null)[]
  write: DraftModel
  convert: Uint8Array<ArrayBuffer>
}

/** A model file as the library writes it, and what it says of objects of the plan. */
export interface DraftModel {
  bytes: Uint8Array<ArrayBuffer>
  unsupported: Remark[]
  invalid: Remark[]
}

export interface Remark {
  objectAt: number
  reason: string
}

export type RequestName = keyof Asked
export type Request = { [N in RequestName]: { name: N; asked: Asked[N] } }[RequestName]
export type Answer = { answered: Answered[RequestName]; heapBytes: number } | { fault: string }
