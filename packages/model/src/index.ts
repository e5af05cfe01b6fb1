export { decodeLiterals } from './document/decode-literals.ts'
export { listReferencedIds, mapReferences, type WholeGraph } from './document/list-references.ts'
export {
  type ReferencedModel,
  type ReferencedObject,
  type ResolvedGraph,
  resolveReferences,
} from './document/resolve-references.ts'
export { describeDrawing, drawObject, type ObjectDrawing } from './drawing/draw-objects.ts'
export { drawModelThumbnail, drawValuesThumbnail } from './drawing/draw-thumbnails.ts'
export type { ModelOptions, ModelValue, ValueRemark, WrittenModel } from './file/model-input.ts'
export { type ExpectedModel, type ModelGeometry, readModelGeometry } from './file/read-model-geometry.ts'
export { toUnitSystem } from './file/unit-system.ts'
export { USER_STRING } from './file/user-strings.ts'
export {
  createPlatformId,
  createPlatformIds,
  toLocationKey,
  type ValueLocation,
} from './file/value-location.ts'
export { decodeGeometry } from './geometry/decode-geometry.ts'
export { encodeGeometry } from './geometry/encode-geometry.ts'
export { type DecodedObject, decodeObjects } from './objects/decode-objects.ts'
export { type ModelObjects, readObjects } from './objects/read-objects.ts'
export { ModelFault } from './opennurbs/model-fault.ts'
export { type ModelSummary, readModelSummary } from './summary/read-model-summary.ts'
export type { ModelObject } from './walker/model-object.ts'
export { readArchiveVersion } from './walker/read-archive-version.ts'
export { walkModel } from './walker/walk-model.ts'
export {
  type ConvertTarget,
  type GeometryMeasurer,
  type ModelLibrary,
  openGeometryMeasurer,
  openModelLibrary,
} from './worker/model-library.ts'
export type { BoundingBox } from './worker/requests.ts'
