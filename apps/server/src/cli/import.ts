import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import type { Catalogue, FolderRecord, TeamRecord } from '../catalogue/catalogue.ts'
import { importDefinitions } from '../features/import/import-definitions.ts'
import {
  type ImportResult,
  ON_CONFLICT,
  type OnConflict,
  StorageError,
} from '../features/import/import-result.ts'
import { countDefinitions } from '../features/import/walk-definitions.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { describeSummary, describeTrouble } from './describe-import.ts'
import { examples } from './examples.ts'
import { CommandFailure, sentenceOf } from './failure.ts'
import { formatCount } from './format-count.ts'
import { watchInterrupt } from './interrupt.ts'
import { printable } from './printable.ts'
import { canDraw, createProgress } from './progress.ts'
import { getTeam, openStorage } from './storage.ts'

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
--folder of its own. With --json: one object, what became of each file under "files".`,
    )

/** What the command ends with when the team may not store all files. */
const OVER_QUOTA = 3

interface Options {
  team: string
  folder?: string
  onConflict: OnConflict
  force?: true
}

async function runImport(context: CommandContext, given: string, options: Options): Promise<void> {
  const { env, output, stderr, endWith } = context
  const path = resolve(given)
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
