export { type AnswerCache, type CachedAnswer, createMemoryCache } from './cache.ts'
export type { Change, Changes, ChangesOptions, TeamState } from './changes.ts'
export type { Download, DownloadOptions, ExportRequest } from './download.ts'
export { endpointPath } from './endpoint-path.ts'
export * from './errors.ts'
export { API_PREFIX, type EndpointName } from './generated/endpoints.ts'
export * from './generated/errors.ts'
export type * from './generated/types.ts'
export type { LinesOptions, SolutionLine } from './lines.ts'
export { Meadow, type MeadowOptions } from './meadow.ts'
export type { Reach } from './reach.ts'
export type { Hash } from './sha256.ts'
export type { LocatedDocument } from './team-view.ts'
export type { CallOptions, RequestOptions } from './transport.ts'
export {
  type PlainValue,
  type PortTree,
  parsePath,
  Tree,
  type TreeEntry,
  type TreeRow,
  toPlain,
  treeOf,
  treesOf,
} from './tree.ts'
export { VERSION } from './version.ts'
export type { WaitOptions } from './wait-for-solution.ts'
export type { FolderVisit, WalkOptions } from './walk.ts'
