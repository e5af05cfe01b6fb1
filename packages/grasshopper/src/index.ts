export type * from './archive/archive.ts'
export { findChunk, findItem, listChunks, listItems } from './archive/find.ts'
export { DEFAULT_LIMITS, type Limits, MAX_DEPTH } from './archive/limits.ts'
export { readArchive } from './archive/read-archive.ts'
export { readInflatedArchive } from './archive/read-binary.ts'
export { type ArchiveForm, writeArchive } from './archive/write-archive.ts'
export { writeInflatedArchive } from './archive/write-binary.ts'
export type { Author, Definition, DefinitionHeader, Library, Note } from './definition/definition.ts'
export { MAX_GEOMETRY_BYTES } from './definition/geometry/geometry-unpacker.ts'
export { type ClusterLimits, readClusters } from './definition/read-clusters.ts'
export { readDefinition } from './definition/read-definition.ts'
export { writeDefinition } from './definition/write-definition.ts'
export type {
  DefinitionDocument,
  WriteOptions,
  WriteWarning,
  WriteWarningKind,
  WrittenDefinition,
} from './definition/written-definition.ts'
export { GrasshopperError, type GrasshopperErrorCode } from './grasshopper-error.ts'
