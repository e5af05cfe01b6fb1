import { type CommandContext, type Declaration, readWhole } from '@meadow/command'
import { createProgress } from '@meadow/command/terminal'
import { createDocumentContents } from '../../content/document-contents.ts'
import { auditLibrary } from '../../features/library-search/audit.store.ts'
import { indexDocuments } from '../../features/library-search/indexer.ts'
import { findReaderVersion, openUsesReader } from '../../features/library-search/reading/uses-reader.ts'
import { createUsesStore } from '../../features/library-search/uses.store.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import type { TeamRecord } from '../../team/teams.ts'
import { formatAudit } from '../output/format-audit.ts'
import { getTeam, openStorage, type Storage } from '../storage.ts'

const DAY_MS = 24 * 3600 * 1000
const DEFAULT_DAYS = 365
const MAX_DAYS = 36_500

/** `meadow-server audit-library` */
export const auditLibraryCommand: Declaration = {
  name: 'audit-library',
  description:
    "Report on a team's documents: plug-ins with their versions, what cannot be solved and why, duplicates, documents " +
    'that were neither changed nor solved for a year, and objects of Rhino models that no model of the team has. ' +
    'Documents in the bin are left out.',
  options: {
    '--team <id>': { says: 'The team.', isRequired: true },
    '--unchanged-days <days>': {
      says: 'How long documents were neither changed nor solved.',
      read: readWhole(1, MAX_DAYS),
      default: DEFAULT_DAYS,
    },
  },
  examples: [
    'meadow-server audit-library --team <ID>',
    'meadow-server audit-library --team <ID> --json > audit.json',
    'meadow-server audit-library --team <ID> --unchanged-days 730',
  ],
  remarks: `
Nothing is changed, but documents that are not in the index of uses yet are indexed first. The exit code is 0 when all
documents were read, whatever was found in them, and 1 when some could not be read. docs/audit-library.md describes the
JSON.`,
  run: runAudit,
}

interface Options {
  team: string
  unchangedDays: number
}

async function runAudit(context: CommandContext, { team: id, unchangedDays }: Options): Promise<void> {
  const { env, output, endWith } = context
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, id)
  using interrupt = context.watchInterrupt(() => output.warning('Stopping. What was indexed stays indexed.'))
  const failed = await indexTeam(context, storage, team, interrupt.signal)
  if (interrupt.signal.aborted) return endWith(interrupt.exitCode)
  const now = Date.now()
  const unchangedSince = now - unchangedDays * DAY_MS
  const audit = await auditLibrary(storage.database, team.key, { unchangedSince })
  const documents = { ...audit.documents, unread: audit.documents.unread + failed }
  const report = {
    team: { id: team.id, name: team.name },
    at: toTimestamp(now),
    unchangedDays,
    ...audit,
    documents,
  }
  await output.data(report, () => formatAudit(report))
  if (documents.unread > 0) {
    output.warning('Some documents could not be read, so that the report is not complete.')
    endWith(1)
  }
}

/** Brings the index of a team up to date. Returns the number of documents whose contents are missing or damaged. */
async function indexTeam(
  { env, output, stderr }: CommandContext,
  { database, jobs, openBlobs }: Storage,
  { key }: TeamRecord,
  signal: AbortSignal,
): Promise<number> {
  const store = createUsesStore(database)
  await store.startVersion(findReaderVersion())
  const count = await store.countUnindexed(key)
  if (count === 0) return 0
  using progress = createProgress({ env, output, stderr })
  progress.expect(count)
  const { blobs, location } = await openBlobs()
  const contents = createDocumentContents(database, blobs)
  await using reader = openUsesReader(contents, location, jobs.definitions)
  try {
    const failures = await indexDocuments(
      { store, reader },
      {
        team: key,
        signal,
        onProgress: (count) => {
          for (let done = 0; done < count; done++) progress.advance('documents indexed')
        },
      },
    )
    return failures.size
  } catch (error) {
    if (signal.aborted) return 0
    throw error
  }
}
