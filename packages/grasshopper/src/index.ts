export { readInflatedArchive } from './archive/forms/read-binary.ts'
export { writeInflatedArchive } from './archive/forms/write-binary.ts'
export { readArchive } from './archive/read-archive.ts'
export type * from './archive/tree/archive.ts'
export { findChunk, findItem, listChunks, listItems } from './archive/tree/find.ts'
export { GrasshopperError, type GrasshopperErrorCode } from './archive/tree/grasshopper-error.ts'
export { DEFAULT_LIMITS, type Limits, MAX_DEPTH } from './archive/tree/limits.ts'
export { type ArchiveForm, writeArchive } from './archive/write-archive.ts'
export { describeClusters, describeDefinition, listKnown, toPicture } from './definition/describe-file.ts'
export type { Definition, DefinitionHeader, Library, Note } from './definition/model/definition.ts'
export { MAX_PICTURE_BYTES } from './definition/model/file-parts.ts'
export type { Reading } from './definition/model/reading.ts'
export { placeLibraryItem, readPlacedClusters } from './definition/place-library-item.ts'
export {
  type ClusterLimits,
  type KnownCluster,
  type ReadClusters,
  readClusters,
  type UnknownCluster,
} from './definition/read-clusters.ts'
export { readDefinition } from './definition/read-definition.ts'
export {
  type ClusterFile,
  type LibraryItem,
  readClusterFile,
  readUserObject,
  type UserObject,
} from './definition/read-library-item.ts'
export { MAX_GEOMETRY_BYTES } from './definition/reading/values/geometry-unpacker.ts'
export { writeDefinition } from './definition/write-definition.ts'
export type {
  DefinitionDocument,
  WriteOptions,
  WriteWarning,
  WriteWarningKind,
  WrittenDefinition,
} from './definition/writing/written-definition.ts'
export { describeStored } from './meaning/describe-stored.ts'
