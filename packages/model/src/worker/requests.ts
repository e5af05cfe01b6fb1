import type { EncodedGeometry } from '@meadow/contract'
import type { ModelOptions } from '../file/model-input.ts'
import type { ModelPlan } from '../file/plan-objects.ts'
import type { QuadMesh } from './refine-subd.ts'

/** The minimum and maximum corner. */
export type BoundingBox = [min: [number, number, number], max: [number, number, number]]

/** The requests of the library worker, by name. */
export interface Asked {
  measure: EachObject
  simplify: EachObject
  sketch: EachObject
  write: { plan: ModelPlan; options: ModelOptions }
  /** The bytes are transferred to the worker. */
  convert: { bytes: Uint8Array<ArrayBuffer>; archiveVersion: ModelOptions['archiveVersion'] }
}

export interface EachObject {
  geometries: EncodedGeometry[]
  /** Shared memory with the index of the object that the worker is processing. */
  progress: Int32Array
}

/** The replies. */
export interface Answered {
  /** The bounding box of each object; null if it has no bounding box or cannot be read. */
  measure: (BoundingBox | null)[]
  /** Each object converted to a class that this package reads; null where that is not possible. */
  simplify: (EncodedGeometry | null)[]
  sketch: (Sketch | null)[]
  write: DraftModel
  convert: Uint8Array<ArrayBuffer>
}

/** What can be shown of an object without a type in the solver: a SubD as quads, a text as the corners of its frame. */
export type Sketch = { quads: QuadMesh } | { frame: Float64Array }

/** A model file as written by the library, and its notes about objects of the plan. */
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
