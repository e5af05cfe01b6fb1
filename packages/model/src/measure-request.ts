import type { EncodedGeometry } from '@meadow/contract'

/** Two opposite corners, the smallest coordinates first. */
export type BoundingBox = [min: [number, number, number], max: [number, number, number]]

/** What the worker is asked, and what it answers: null where the object could not be read. */
export interface MeasureRequest {
  geometries: EncodedGeometry[]
}
export type MeasureAnswer = { boundingBoxes: (BoundingBox | null)[] } | { fault: string }
