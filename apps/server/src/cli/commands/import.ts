import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type CommandContext, CommandFailure, type Declaration, formatCount } from '@meadow/command'
import { createProgress } from '@meadow/command/terminal'
import {
  type ImportResult,
  ON_CONFLICT,
  ON_GONE,
  type OnConflict,
  type OnGone,
} from '../../features/import/import-result.ts'
import { listOutdated } from '../../features/solves/outdated-solves.store.ts'
import {
  checkFollowOptions,
  FOLLOW_OPTIONS,
  type FollowOptions,
  followImports,
  STOPPING,
} from '../follow-imports.ts'
import {
  describeImportError,
  exitCodeOf,
  getFolder,
  MAX_GONE_OPTION,
  openImporter,
} from '../import-folder.ts'
import { describePlan, describeSummary, describeTrouble, formatPlan } from '../output/import-text.ts'
import { getTeam, openStorage } from '../storage.ts'

/** `meadow-server import` */
export const importFiles: Declaration = {
  name: 'import',
  description:
    'Import a Grasshopper definition, or a folder of them with all folders in it, and the models (.3dm), user objects ' +
    '(.ghuser), clusters (.ghcluster) and texts (.txt, .csv) beside them. Run it again whenever you like, as every night: what changed is ' +
    'updated, what was moved or renamed keeps its document, what is in the bin stays there, and all else is left alone.',
  arguments: { '<path>': 'A folder, or one file.' },
  options: {
    '--team <id>': { says: 'The team that the documents are for.', isRequired: true },
    '--folder <id>': "The folder of the team that takes them. Without it: the team's root folder.",
    '--on-conflict <what>': {
      says:
        'When a file has changed and people have edited its document since: keep the document as it is, replace what ' +
        'they made, or make a copy, a document of its own of the file.',
      choices: ON_CONFLICT,
      default: 'keep',
    },
    '--gone <what>': {
      says:
        'When a file is no longer in the folder: keep its document, or put it into the bin, from which it comes back when ' +
        'the file does.',
      choices: ON_GONE,
      default: 'keep',
    },
    ...MAX_GONE_OPTION,
    '--dry-run': {
      says: 'Print what would be done, and write nothing. Files that changed are read.',
      conflicts: ['force', 'watch'],
    },
    '--force': 'Read files again that did not change, as after an update that reads more of them.',
    ...FOLLOW_OPTIONS,
  },
  examples: [
    'meadow-server import ./definitions --team <ID>',
    'meadow-server import ./definitions --team <ID> --gone bin --dry-run',
    'meadow-server import ./definitions/tower.gh --team <ID> --folder <ID>',
    'meadow-server import ./definitions --team <ID> --json > import.json',
    'meadow-server import ./definitions --team <ID> --watch',
    'meadow-server import /mnt/projects --team <ID> --watch --poll 30',
  ],
  remarks: `
What is in PATH goes into the folder; folders are joined with those of the same name. A file that cannot be read is
told by name and reason, the rest is imported, and the exit code is 1; so it is when the document of a changed file
was edited, and is kept. It is 3 when the team may not store all files ("team limits"); those for which there is room
are imported. Files that are gone are told once. Hidden files (.name) are left out, and links to folders are not
followed. To import two folders, give each a --folder of its own. With --json: one object, what became of each file
under "files", what Meadow cannot solve of it under "unsolvable", and files of other kinds under "others".

With --watch it goes on after the first run and prints a line for each change, with the time, the path and what
happened, until Ctrl-C. While the folder or the database is away, that is told once, and tried again. With --json each
line is an object: "event" is "file", "run", "watching", "waiting", "resumed" or "stopped".`,
  run: runImport,
}

interface Options extends FollowOptions {
  team: string
  folder?: string
  onConflict: OnConflict
  gone: OnGone
  maxGone: number
  dryRun?: true
  force?: true
}

async function runImport(context: CommandContext, pathArgument: string, options: Options): Promise<void> {
  checkFollowOptions(options)
  const path = resolve(pathArgument)
  if (options.watch) return watchImport(context, path, options)
  const { env, output, stderr, endWith } = context
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, options.team)
  const target = await getFolder(storage.database, team, options.folder)

  using progress = createProgress({ env, output, stderr })
  using interrupt = context.watchInterrupt(() => progress.around(() => output.warning(STOPPING)))
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
    const { importDefinitions } = await import('../../features/import/import-definitions.ts')
    const summary = await importDefinitions(
      { ...storage, blobs: (await storage.openBlobs()).blobs, limits: storage.jobs.definitions },
      request,
    )
    progress.around(() =>
      files.end(summary, () => [...formatPlan(plan), describeSummary(summary)].join('\n')),
    )
    endWith(exitCodeOf(summary))
    const outdated = dryRun ? [] : await listOutdated(storage.database, team.key)
    if (outdated.length > 0) {
      output.message(
        `Models changed since ${formatCount(outdated.length)} documents that refer to them were solved: ` +
          `"meadow-server solve --team ${team.id} --outdated" solves these again.`,
      )
    }
    if (summary.overQuota > 0) {
      output.message(
        `The team has no room for ${formatCount(summary.overQuota)} of the files: "meadow-server team limits ${team.id}" ` +
          'shows and raises its limits. Then run the import again.',
      )
    }
    if (summary.interrupted) endWith(interrupt.exitCode)
  } catch (error) {
    const sentence = describeImportError(error, storage)
    if (finished === 0) throw new CommandFailure(sentence)
    throw new CommandFailure(
      `${sentence} Files that were finished before: ${formatCount(finished)}. Run the command again to go on.`,
    )
  }
}

/** Follows the changes in a folder. */
async function watchImport(context: CommandContext, path: string, options: Options): Promise<void> {
  const { output, endWith } = context
  // A wrong path is an error at once; later the folder may be away for a while.
  await stat(path)
  await using storage = await openStorage(context)
  const team = await getTeam(storage.database, options.team)
  const { key: target } = await getFolder(storage.database, team, options.folder)
  using interrupt = context.watchInterrupt(() => output.message(STOPPING))
  const { signal } = interrupt
  await using importer = await openImporter(storage, signal)
  const { onConflict, gone: onGone, maxGone: maxGonePercent } = options
  let isFirst = true
  const interrupted = await followImports(output, options, {
    path,
    signal,
    async run(onResult) {
      const rules = { onConflict, onGone, maxGonePercent, force: isFirst && options.force }
      const summary = await importer.run({ path, team: team.key, target, ...rules, signal, onResult })
      if (isFirst) output.message(describeSummary(summary))
      isFirst = false
      return summary
    },
  })
  if (interrupted) endWith(interrupt.exitCode)
}
