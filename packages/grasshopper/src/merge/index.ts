export { type MergeConflict, type MergedArchive, mergeArchives, type Side } from './merge-archives.ts'
export { openVersion, type Version } from './version.ts'
