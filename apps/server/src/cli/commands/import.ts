import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import type { Catalogue, FolderRecord, TeamRecord } from '../../catalogue/catalogue.ts'
import { importDefinitions } from '../../features/import/import-definitions.ts'
import {
  type ImportResult,
  type ImportSummary,
  NOTE_DESCRIPTIONS,
  ON_CONFLICT,
  type OnConflict,
  StorageError,
} from '../../features/import/import-result.ts'
import { countDefinitions } from '../../features/import/walk-definitions.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure, sentenceOf } from '../failure.ts'
import { examples } from '../help.ts'
import { formatCount, formatTable, printable } from '../output/format.ts'
import { canDraw, createProgress } from '../output/progress.ts'
import { watchInterrupt } from '../signals.ts'
import { getTeam, openStorage } from '../storage.ts'

/** `meadow-server import` */
export const importFiles = (start: StartCommand): Command =>
  new Command('import')
    .summary('Import Grasshopper definitions.')
    .description(
      'Import a Grasshopper definition, or a folder of them with all folders in it. Run it again whenever you like: ' +
        'what changed is updated, all else is left alone, and every document keeps its id.',
    )
    .argument('<path>', 'A folder, or one .gh or .ghx file.')
    .requiredOption('--team <id>', 'The team that the documents are for.')
    .option('--folder <id>', "The folder of the team that takes them. Without it: the team's root folder.")
    .addOption(
      new Option(
        '--on-conflict <what>',
        'When a file has changed and people have edited its document since: keep the document as it is, replace what ' +
          'they made, or make a copy, a document of its own of the file.',
      )
        .choices(ON_CONFLICT)
        .default('keep'),
    )
    .option('--force', 'Read files again that did not change, as after an update that reads more of them.')
    .action(start(runImport))
    .addHelpText(
      'after',
      examples(
        'meadow-server import ./definitions --team <ID>',
        'meadow-server import ./definitions/tower.gh --team <ID> --folder <ID>',
        'meadow-server import ./definitions --team <ID> --json > import.json',
      ),
    )
    .addHelpText(
      'after',
      `
What is in PATH goes into the folder; folders are joined with those of the same name. A file that cannot be read is
told by name and reason, the rest is imported, and the exit code is 1; so it is when the document of a changed file
was edited, and is kept. It is 3 when the team may not store all files ("team limits"); those for which there is room
are imported. Documents whose files are gone are told, and stay. Hidden files (.name) are left out, and links to folders are not followed. To import two folders, give each a
--folder of its own. With --json: one object, what became of each file under "files", and what Meadow cannot solve
of it under "unsolvable".`,
    )

/** The exit code when the team may not store all files. */
const OVER_QUOTA = 3

interface Options {
  team: string
  folder?: string
  onConflict: OnConflict
  force?: true
}

async function runImport(context: CommandContext, pathArgument: string, options: Options): Promise<void> {
  const { env, output, stderr, endWith } = context
  const path = resolve(pathArgument)
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.catalogue, options.team)
  const target = await getFolder(storage.catalogue, team, options.folder)

  const shown = !output.json && canDraw(stderr, env.TERM)
  using progress = createProgress(stderr, shown)
  using interrupt = watchInterrupt(() =>
    progress.around(() =>
      output.warning('Stopping when the files that were read are written. Ctrl-C again: at once.'),
    ),
  )
  if (shown) void countDefinitions(path, interrupt.signal).then(progress.expect)
  const files = output.openList('files')
  let finished = 0
  const onResult = (result: ImportResult) => {
    finished++
    files.add(result)
    const trouble = describeTrouble(result)
    if (trouble !== undefined) progress.around(() => output.warning(trouble))
    progress.advance(result.path)
  }

  try {
    const { signal } = interrupt
    const { onConflict, force } = options
    const request = { path, team: team.key, target: target.key, onConflict, force, signal, onResult }
    const summary = await importDefinitions(
      { ...storage, blobs: await storage.openBlobs(), limits: storage.jobs.definitions },
      request,
    )
    progress.around(() => files.end(summary, () => describeSummary(summary)))
    if (summary.failed + summary.conflict > 0) endWith(1)
    if (summary.overQuota > 0) {
      endWith(OVER_QUOTA)
      output.message(
        `The team has no room for ${formatCount(summary.overQuota)} of the files: "meadow-server team limits ${team.id}" ` +
          'shows and raises its limits. Then run the import again.',
      )
    }
    if (summary.interrupted) endWith(interrupt.exitCode)
  } catch (error) {
    const sentence =
      error instanceof StorageError
        ? `The data folder "${printable(storage.dataDir)}" takes no more files: ${error.message}.`
        : sentenceOf(error)
    if (finished === 0) throw new CommandFailure(sentence)
    throw new CommandFailure(
      `${sentence} Files that were finished before: ${formatCount(finished)}. Run the command again to go on.`,
    )
  }
}

async function getFolder(catalogue: Catalogue, team: TeamRecord, id = 'root'): Promise<FolderRecord> {
  const folder = await catalogue.findFolder(team.key, id)
  if (!folder) throw new CommandFailure(`The team "${printable(team.name)}" has no folder "${id}".`)
  return folder
}

/** A message about a file for the operator, if there is one. */
function describeTrouble(result: ImportResult): string | undefined {
  const path = printable(result.path)
  switch (result.outcome) {
    case 'failed':
      return `${path} was not imported: ${printable(result.reason)}.`
    case 'conflict':
      return (
        `${path} was not imported: its document (${result.documentId}) was edited since. Run the import again with ` +
        '--on-conflict replace to replace what was edited, or with copy to have both.'
      )
    case 'created':
      return (
        result.besides &&
        `${path} has a document of its own now: the one before (${result.besides}) was edited.`
      )
    case 'updated':
      return result.replaced && `${path} replaced what was edited of its document (${result.documentId}).`
    case 'skipped':
      return `${path} was left out: ${result.reason}.`
    case 'gone':
      return `${path} is no longer in the folder. Its document (${result.documentId}) stays.`
  }
  return undefined
}

/** The result of an import, in a few lines. */
function describeSummary(summary: ImportSummary): string {
  const { created, updated, unchanged, conflict, failed } = summary
  const files = created + updated + unchanged + conflict + failed
  const counts = { new: created, updated, unchanged, ...(conflict > 0 && { kept: conflict }), failed }
  const outcomes = Object.entries(counts)
  const lines = [
    `Definitions: ${formatCount(files)} in ${(summary.durationMs / 1000).toFixed(1)} s, of them ` +
      `${outcomes.map(([outcome, count]) => `${formatCount(count)} ${outcome}`).join(', ')}.`,
    ...countLine('Files left out since their documents were edited', conflict),
    ...countLine('New folders', summary.foldersCreated),
    ...countLine('Documents whose file is no longer in the folder', summary.gone),
    ...countLine('Links to folders, left out', summary.skipped),
    ...countLine('Other files, left out', summary.ignored),
    ...summary.notes.flatMap(({ kind, count, files: inFiles }) =>
      countLine(NOTE_DESCRIPTIONS[kind], count, ` in ${formatCount(inFiles)} definitions`),
    ),
  ]
  lines.push(...describeUnsolvable(summary.unsolvable))
  if (summary.interrupted) lines.push('Stopped before the end: run the same command again to go on.')
  return lines.join('\n')
}

const countLine = (what: string, count: number, where = ''): string[] =>
  count === 0 ? [] : [`${what}: ${formatCount(count)}${where}.`]

/** How many causes of a document its row lists; `--json` has every node. */
const SHOWN_CAUSES = 2
/** How many causes the summary lists. */
const LISTED_CAUSES = 5

/** What of the documents that were read cannot be solved: the most frequent causes, and the documents. */
function describeUnsolvable({ documents, nodes, causes, worst }: ImportSummary['unsolvable']): string[] {
  if (documents === 0) return []
  const byCause = causes
    .slice(0, LISTED_CAUSES)
    .map(({ cause, nodes, documents }) => [formatCount(documents), formatCount(nodes), cause])
  const byDocument = worst.map(({ path, nodes, causes }) => {
    const more = causes.length > SHOWN_CAUSES ? [`${formatCount(causes.length - SHOWN_CAUSES)} more`] : []
    return [formatCount(nodes), path, [...causes.slice(0, SHOWN_CAUSES), ...more].join('; ')]
  })
  return [
    `Of the documents that were read, ${formatCount(documents)} cannot be solved whole: ${formatCount(nodes)} nodes.`,
    '',
    formatTable(['Documents', 'Nodes', 'Not solved, most frequent first'], byCause),
    '',
    formatTable(['Nodes', 'Document', 'Not solved'], byDocument),
    ...(documents > worst.length ? [`And ${formatCount(documents - worst.length)} more: see --json.`] : []),
  ]
}
