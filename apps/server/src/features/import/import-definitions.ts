import { lstat, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import type { PoolLimits } from '../../platform/processes/pool-limits.ts'
import { findCode, reasonOf } from '../../platform/system-errors.ts'
import { type DefinitionParser, openDefinitionParser } from './definition-parser.ts'
import { ImportBatch } from './import-batch.ts'
import {
  ImportError,
  type ImportResult,
  type ImportSummary,
  type OnConflict,
  ResultCounter,
} from './import-result.ts'
import { type Found, isDefinitionName, oneDefinition, walkDefinitions } from './walk-definitions.ts'

export interface ImportRequest {
  /** Absolute path of a folder, or of one definition. */
  path: string
  team: TeamKey
  /** Receives the contents of the folder, or the one definition. */
  target: FolderKey
  /** Default: `keep`. */
  onConflict?: OnConflict | undefined
  /** Reads unchanged files again; default: false. */
  force?: boolean | undefined
  /** Ends the import after what was read so far is written. */
  signal: AbortSignal
  /** Called for each file, as soon as its result is known. */
  onResult: (result: ImportResult) => void
}

interface ImportParts {
  catalogue: Catalogue
  blobs: BlobStore
  /** Of the parser's processes. */
  limits?: PoolLimits
  /** Default: a parser for this import only, which aborts with `signal`. */
  parser?: DefinitionParser
}

/**
 * Imports a folder tree of definitions, or one definition, into a folder of a team. Memory does not grow with the
 * number of files. A file that cannot be read is a result, not an error. An import that was interrupted, or killed, can
 * be run again: existing documents keep their ids.
 */
export async function importDefinitions(
  { limits, parser, ...storage }: ImportParts,
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
  await using ownParser = parser ? undefined : openDefinitionParser({ signal, ...(limits && { limits }) })
  const batch = new ImportBatch(
    { ...storage, parser: (parser ?? ownParser)! },
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
    for await (const missing of listMissing(storage.catalogue, from, request.target)) report(missing)
  }
  return counter.summarize({ ignored, foldersCreated: batch.foldersCreated, interrupted: signal.aborted })
}

const toResult = (found: Extract<Found, { kind: 'unreadable' | 'link' }>): ImportResult =>
  found.kind === 'unreadable'
    ? { path: found.path || '.', outcome: 'failed', reason: reasonOf(found.error) }
    : { path: found.path, outcome: 'skipped', reason: 'it is a link to a folder, which is not followed' }

const PAGE = 200

/**
 * The documents that were last imported from the folder `from` and whose files do not exist any more. Each file is
 * looked up, because the walk does not see files in folders that cannot be opened.
 */
async function* listMissing(
  catalogue: Catalogue,
  from: string,
  target: FolderKey,
): AsyncGenerator<ImportResult> {
  let after: number | undefined
  while (true) {
    const page = await catalogue.listImportedDocuments(target, { after, limit: PAGE })
    const ofFolder = page.filter((item) => item.from === from && item.bin === null)
    const areMissing = await Promise.all(ofFolder.map(({ path }) => isMissing(join(from, path))))
    for (const [index, { path, id }] of ofFolder.entries()) {
      if (areMissing[index]) yield { path, outcome: 'gone', documentId: id }
    }
    if (page.length < PAGE) return
    after = page.at(-1)!.key
  }
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return false
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(findCode(error) ?? '')
  }
}
