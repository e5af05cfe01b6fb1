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
export { type GhPatch, type OmittedChange, toGhPatch } from './ghpatch/to-ghpatch.ts'
export { applyPatch, type Conflict, type Patched } from './patch/apply-patch.ts'
export { createPatch } from './patch/create-patch.ts'
export { mergeDocuments } from './patch/merge-documents.ts'
export type { Patch, PatchOperation } from './patch/patch.ts'
