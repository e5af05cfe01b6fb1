export type {
  DataBranch,
  DataTree,
  DataValue,
  Domain,
  EncodedGeometry,
  GraphContent,
  Group,
  JsonNumber,
  Node,
  Plane,
  Port,
  PortReference,
  ValueType,
  Xyz,
} from '@meadow/contract'
export {
  type CanvasObject,
  type ComponentKind,
  findCanvasObject,
  findComponent,
  findComponentName,
  findParameterType,
  findScript,
  listCanvasObjects,
  listComponents,
  listParameterTypes,
  type ParameterType,
  type ScriptKind,
} from './catalogue/catalogue.ts'
export type { CataloguePort } from './catalogue/port-notation.ts'
export { listClosingEdges } from './closing-edges.ts'
export type { ClusterContent, ClusterContents } from './cluster-contents.ts'
export { createDataTree } from './data-tree.ts'
export { findCycle } from './find-cycle.ts'
export { decodeNumber, encodeNumber } from './json-number.ts'
export type * from './node-state.ts'
export { listPanelLines, unifyLineEnds } from './panel-lines.ts'
export { comparePaths, findPath, formatPath, type Path } from './path.ts'
export { readConstant } from './read-constant.ts'
export { createRecord } from './record.ts'
export type { Repair, RepairKind } from './repair/repair.ts'
export { repairGraph } from './repair/repair-graph.ts'
