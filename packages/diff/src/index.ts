export type {
  Change,
  ChangeKind,
  ClusterFacts,
  GroupName,
  LayoutChange,
  LayoutChangeKind,
  LineHunk,
  Names,
  NodeName,
  PortAt,
  PortName,
  PortProperties,
  ScriptPart,
  Wire,
} from './changes/change.ts'
export { describeChange } from './changes/describe-change.ts'
export { type Difference, type DocumentContent, diffDocuments } from './changes/diff-documents.ts'
export { createPatch } from './patch/create-patch.ts'
export type { Patch, PatchOperation } from './patch/patch.ts'
