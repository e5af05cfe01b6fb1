export { type Glb, type GlbOptions, toGlb, writeGlb } from './glb/to-glb.ts'
export type { ModelCounts } from './model/count-model.ts'
export {
  type DrawnModel,
  type DrawnNode,
  type DrawnPort,
  type DrawnValue,
  type DrawOptions,
  drawModel,
  type SkippedValue,
} from './model/draw-model.ts'
export type { BimInput, DocumentInput, SolutionInput } from './model/inputs.ts'
export type { Place } from './model/read-values.ts'
export type { Shape } from './model/shapes.ts'
export { type Obj, type ObjOptions, toObj, writeObj } from './obj/to-obj.ts'
