import { CommandFailure, InvalidArgumentError, printable } from '@meadow/command'
import { DEFAULT_MAX_GONE_PERCENT } from '../features/import/gone-files.ts'
import type { ImportRequest } from '../features/import/import-definitions.ts'
import { type ImportSummary, StorageError } from '../features/import/import-result.ts'
import { findFolder } from '../library/folders.ts'
import type { Database } from '../platform/database/database.ts'
import type { FolderRecord } from '../team/folders.ts'
import type { TeamRecord } from '../team/teams.ts'
import { sentenceOf } from './failure.ts'
import type { Storage } from './storage.ts'

/** What imports of a command have in common: they share the processes that parse files. */
export interface Importer extends AsyncDisposable {
  /** Throws a `CommandFailure`, or the error of an unavailable database. */
  run(request: ImportRequest): Promise<ImportSummary>
}

export async function openImporter(storage: Storage, signal: AbortSignal): Promise<Importer> {
  // The imports are dynamic, so that commands that import nothing start without them.
  const [{ openDefinitionParser }, { importDefinitions }] = await Promise.all([
    import('../features/import/definition-parser.ts'),
    import('../features/import/import-definitions.ts'),
  ])
  const { blobs } = await storage.openBlobs()
  const parser = openDefinitionParser({ signal, limits: storage.jobs.definitions })
  return {
    run: (request) =>
      importDefinitions({ database: storage.database, blobs, parser }, request).catch((error: unknown) => {
        throw new CommandFailure(describeImportError(error, storage), { cause: error })
      }),
    [Symbol.asyncDispose]: () => parser[Symbol.asyncDispose](),
  }
}

/** The exit code when the team may not store all files. */
const OVER_QUOTA = 3

export function exitCodeOf(summary: ImportSummary): number {
  if (summary.overQuota > 0) return OVER_QUOTA
  return summary.failed + summary.conflict > 0 || summary.tooManyGone ? 1 : 0
}

export const MAX_GONE_OPTION = {
  '--max-gone <percent>': {
    says:
      'With "--gone bin": when a larger share of the files is gone, none is put into the bin, since a part of a drive ' +
      'may be missing. Up to 10 files always are.',
    read: readPercent,
    default: DEFAULT_MAX_GONE_PERCENT,
  },
}

function readPercent(text: string): number {
  const percent = Number(text)
  if (text.trim() === '' || !(percent >= 0 && percent <= 100)) {
    throw new InvalidArgumentError('It is a number from 0 to 100.')
  }
  return percent
}

/** A sentence about why an import ended. */
export const describeImportError = (error: unknown, { dataDir }: Pick<Storage, 'dataDir'>): string =>
  error instanceof StorageError
    ? `The data folder "${printable(dataDir)}" takes no more files: ${error.message}.`
    : sentenceOf(error)

/** The folder of the team with this id, by default its root. Fails with a sentence when there is none. */
export async function getFolder(database: Database, team: TeamRecord, id = 'root'): Promise<FolderRecord> {
  const folder = await findFolder(database.read, team.key, id)
  if (!folder) throw new CommandFailure(`The team "${printable(team.name)}" has no folder "${id}".`)
  return folder
}
