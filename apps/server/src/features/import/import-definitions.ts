import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import type { PoolLimits } from '../../platform/processes/pool-limits.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { isDefinitionName } from './definition-name.ts'
import { type DefinitionReader, openDefinitionReader } from './definition-reader.ts'
import { ImportBatch } from './import-batch.ts'
import { ImportError } from './import-error.ts'
import type { ImportResult, ImportSummary } from './import-result.ts'
import { listGone } from './list-gone.ts'
import type { OnConflict } from './on-conflict.ts'
import { ResultCounter } from './result-counter.ts'
import { type Found, oneDefinition, walkDefinitions } from './walk-definitions.ts'

export interface ImportRequest {
  /** Absolute path of a folder, or of one definition. */
  path: string
  team: TeamKey
  /** What is in the folder, or the one definition, goes in here. */
  target: FolderKey
  /** Default: `keep`. */
  onConflict?: OnConflict | undefined
  /** Reads files again that did not change; default: false. */
  force?: boolean | undefined
  /** When it is raised, what was read so far is written, and the import ends. */
  signal: AbortSignal
  /** Is told what becomes of each file, in the order in which it is known. */
  onResult: (result: ImportResult) => void
}

interface ImportParts {
  catalogue: Catalogue
  blobs: BlobStore
  /** Of the processes that read files. */
  limits?: PoolLimits
  /** Reads the files; by default one that is opened for this import, and gives up its file when `signal` is raised. */
  reader?: DefinitionReader
}

/**
 * Imports a folder tree of definitions, or one definition, into a folder of a team. Memory does not grow with the
 * number of files. A file that cannot be read is a result, not an error. Can be ended at any moment, by force as
 * well, and run again: what is there already stays what it is, with its id.
 */
export async function importDefinitions(
  { limits, reader, ...storage }: ImportParts,
  request: ImportRequest,
): Promise<ImportSummary> {
  const { path, signal, onConflict = 'keep', force = false } = request
  const isFolder = (await stat(path)).isDirectory()
  if (!isFolder && !isDefinitionName(path))
    throw new ImportError(`"${path}" is neither a folder nor a .gh or .ghx file.`)
  const from = isFolder ? path : dirname(path)

  const counter = new ResultCounter()
  const report = (result: ImportResult) => {
    counter.add(result)
    request.onResult(result)
  }
  await using ownReader = reader ? undefined : openDefinitionReader({ signal, ...(limits && { limits }) })
  const batch = new ImportBatch(
    { ...storage, reader: (reader ?? ownReader)! },
    { ...request, onConflict, force, from, onResult: report },
  )
  let ignored = 0
  for await (const found of isFolder ? walkDefinitions(path) : oneDefinition(basename(path))) {
    if (signal.aborted) break
    if (found.kind === 'folder' || found.kind === 'definition') await batch.add(found)
    else if (found.kind === 'other') ignored++
    else report(toResult(found))
  }
  await batch.finish()
  if (isFolder && !signal.aborted) {
    for await (const gone of listGone(storage.catalogue, from, request.target)) report(gone)
  }
  return counter.summarise({ ignored, foldersCreated: batch.foldersCreated, interrupted: signal.aborted })
}

const toResult = (found: Extract<Found, { kind: 'trouble' | 'link' }>): ImportResult =>
  found.kind === 'trouble'
    ? { path: found.path || '.', outcome: 'failed', reason: reasonOf(found.error) }
    : { path: found.path, outcome: 'skipped', reason: 'it is a link to a folder, which is not followed' }
