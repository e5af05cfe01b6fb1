export type {
  Author,
  Cluster,
  DataBranch,
  DataTree,
  DataValue,
  DefinitionFacts,
  Domain,
  EncodedGeometry,
  GraphContent,
  Group,
  JsonNumber,
  Node,
  ObjectPart,
  Picture,
  Plane,
  Plugin,
  Port,
  PortReference,
  UnknownKind,
  UnknownValue,
  ValueType,
  Xyz,
} from '@meadow/contract'
export { normalizeGeometry, sameGeometry } from './compare/same-geometry.ts'
export { sameJson } from './compare/same-json.ts'
export { holdsState, sameMember, sameState } from './compare/same-state.ts'
export { agreeingTree, isEmptyTree, SUMMARISED, sameTree, sameValue } from './compare/same-tree.ts'
export { listChangedFacts, type StoredFacts } from './compare/stored-facts.ts'
export {
  type CanvasObject,
  type ComponentKind,
  findCanvasObject,
  findComponent,
  findComponentName,
  findParameterType,
  findScript,
  isOfferedVersion,
  listCanvasObjects,
  listComponents,
  listParameterTypes,
  type ParameterType,
  type ScriptKind,
  type StandardComponent,
} from './component-library/component-library.ts'
export type { Icon } from './component-library/components/component-row.ts'
export type { LibraryPort } from './component-library/port-notation.ts'
export { findCycle, listClosingEdges } from './graph/cycles.ts'
export { createDataTree, decodeNumber, encodeNumber } from './graph/data-tree.ts'
export { APPEARANCE, fingerprintOf, fingerprintWithFile } from './graph/fingerprint.ts'
export { groupBy } from './graph/group-by.ts'
export type * from './graph/node-state.ts'
export type { ClusterContent, ClusterContents } from './graph/node-state.ts'
export { CLUSTER } from './graph/node-state.ts'
export { listPanelLines, unifyLineEnds } from './graph/panel-lines.ts'
export { comparePaths, findPath, formatPath, type Path } from './graph/path.ts'
export { readConstant } from './graph/read-constant.ts'
export { createRecord } from './graph/record.ts'
export { isFileName, listFileOrigins, listNodeOrigins } from './origins/node-origins.ts'
export {
  type InputValue,
  labelOfPort,
  type PlayerInput,
  readPlayerInputs,
  resultPortOf,
} from './player/read-inputs.ts'
export type { Repair, RepairKind } from './repair/repair.ts'
export { repairGraph } from './repair/repair-graph.ts'
