import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Catalogue, FolderRecord, TeamRecord } from '../../catalogue/catalogue.ts'
import { DEFAULT_MAX_GONE_PERCENT } from '../../features/import/gone-files.ts'
import { importDefinitions } from '../../features/import/import-definitions.ts'
import {
  type ImportResult,
  ON_CONFLICT,
  ON_GONE,
  type OnConflict,
  type OnGone,
  StorageError,
} from '../../features/import/import-result.ts'
import { listOutdated } from '../../features/solves/references/outdated-solves.store.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure, sentenceOf } from '../failure.ts'
import { examples } from '../help.ts'
import { formatCount, printable } from '../output/format.ts'
import { describePlan, describeSummary, describeTrouble, formatPlan } from '../output/import-text.ts'
import { canDraw, createProgress } from '../output/progress.ts'
import { watchInterrupt } from '../signals.ts'
import { getTeam, openStorage } from '../storage.ts'

/** `meadow-server import` */
export const importFiles = (start: StartCommand): Command =>
  new Command('import')
    .summary('Import Grasshopper definitions, and the models beside them.')
    .description(
      'Import a Grasshopper definition, or a folder of them with all folders in it, and the models (.3dm), user objects ' +
        '(.ghuser) and clusters (.ghcluster) beside them. Run it again whenever you like, as every night: what changed is ' +
        'updated, what was moved or renamed keeps its document, what is in the bin stays there, and all else is left alone.',
    )
    .argument('<path>', 'A folder, or one file.')
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
    .addOption(
      new Option(
        '--gone <what>',
        'When a file is no longer in the folder: keep its document, or put it into the bin, from which it comes back when ' +
          'the file does.',
      )
        .choices(ON_GONE)
        .default('keep'),
    )
    .addOption(
      new Option(
        '--max-gone <percent>',
        'With "--gone bin": when a larger share of the files is gone, none is put into the bin, since a part of a drive ' +
          'may be missing. Up to 10 files always are.',
      )
        .argParser(readPercent)
        .default(DEFAULT_MAX_GONE_PERCENT),
    )
    .addOption(
      new Option(
        '--dry-run',
        'Print what would be done, and write nothing. Files that changed are read.',
      ).conflicts('force'),
    )
    .option('--force', 'Read files again that did not change, as after an update that reads more of them.')
    .action(start(runImport))
    .addHelpText(
      'after',
      examples(
        'meadow-server import ./definitions --team <ID>',
        'meadow-server import ./definitions --team <ID> --gone bin --dry-run',
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
are imported. Files that are gone are told once. Hidden files (.name) are left out, and links to folders are not
followed. To import two folders, give each a --folder of its own. With --json: one object, what became of each file
under "files", what Meadow cannot solve of it under "unsolvable", and files of other kinds under "others".`,
    )

/** The exit code when the team may not store all files. */
const OVER_QUOTA = 3

interface Options {
  team: string
  folder?: string
  onConflict: OnConflict
  gone: OnGone
  maxGone: number
  dryRun?: true
  force?: true
}

function readPercent(text: string): number {
  const percent = Number(text)
  if (text.trim() === '' || !(percent >= 0 && percent <= 100)) {
    throw new InvalidArgumentError('It is a number from 0 to 100.')
  }
  return percent
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
  const files = output.openList('files')
  const plan: string[][] = []
  let finished = 0
  const onResult = (result: ImportResult) => {
    finished++
    files.add(result)
    const planned = options.dryRun && describePlan(result)
    if (planned) plan.push(planned)
    const trouble = options.dryRun ? undefined : describeTrouble(result)
    if (trouble !== undefined) progress.around(() => output.warning(trouble))
    progress.advance(result.path)
  }

  try {
    const { signal } = interrupt
    const { onConflict, gone: onGone, maxGone: maxGonePercent, dryRun, force } = options
    const rules = { onConflict, onGone, maxGonePercent, dryRun, force }
    const request = {
      path,
      team: team.key,
      target: target.key,
      ...rules,
      signal,
      onScanned: progress.expect,
      onResult,
    }
    const summary = await importDefinitions(
      { ...storage, blobs: await storage.openBlobs(), limits: storage.jobs.definitions },
      request,
    )
    progress.around(() =>
      files.end(summary, () => [...formatPlan(plan), describeSummary(summary)].join('\n')),
    )
    if (summary.failed + summary.conflict > 0 || summary.tooManyGone) endWith(1)
    const outdated = dryRun ? [] : await listOutdated(storage.database, team.key)
    if (outdated.length > 0) {
      output.message(
        `Models changed since ${formatCount(outdated.length)} documents that refer to them were solved: ` +
          `"meadow-server solve --team ${team.id} --outdated" solves these again.`,
      )
    }
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
