export { type MergeConflict, type MergedArchive, mergeArchives, type Side } from './merge-archives.ts'
