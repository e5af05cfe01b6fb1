import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  type Interrupt,
  printable,
  UsageFailure,
} from '@meadow/command'
import { findMirrorState, type MirrorOutcome, type MirrorState } from '@meadow/contract/web/terms'
import type { ImportRequest } from '../../features/import/import-definitions.ts'
import {
  type ImportResult,
  type ImportSummary,
  ON_CONFLICT,
  ON_GONE,
  type OnConflict,
  type OnGone,
} from '../../features/import/import-result.ts'
import type { RecordedChange } from '../../features/mirrors/mirror-changes.ts'
import {
  createMirrorStore,
  MirrorError,
  type MirrorRecord,
  type MirrorStore,
  WATCHED_MS,
} from '../../features/mirrors/mirrors.store.ts'
import { runMirror } from '../../features/mirrors/run-mirror.ts'
import { createMutex } from '../../platform/concurrency/mutex.ts'
import type { MirrorKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { readName } from '../arguments.ts'
import { sentenceOf } from '../failure.ts'
import {
  checkFollowOptions,
  FOLLOW_OPTIONS,
  type FollowOptions,
  followImports,
  STOPPING,
} from '../follow-imports.ts'
import { exitCodeOf, getFolder, type Importer, MAX_GONE_OPTION, openImporter } from '../import-folder.ts'
import {
  describePlan,
  describeSummary,
  describeTooManyGone,
  describeTrouble,
  formatPlan,
} from '../output/import-text.ts'
import { getTeam, openStorage } from '../storage.ts'

/** `meadow-server mirror add` */
export const mirrorAdd: Declaration = {
  name: 'add',
  summary: 'Register a folder to be imported again and again.',
  description:
    'Register a folder on this machine, to be imported again and again by "mirror run", and print the id of the mirror. ' +
    'The team sees it in the app, with its last run, what changed and what failed.',
  arguments: { '<path>': 'The folder.' },
  options: {
    '--team <id>': { says: 'The team that the documents are for.', isRequired: true },
    '--folder <id>': "The folder of the team that takes them. Without it: the team's root folder.",
    '--name <name>': {
      says: 'What it is called. Without it: the name of the folder on the disk.',
      read: readName,
    },
    '--gone <what>': {
      says: 'What happens to the document of a file that is deleted: keep it, or put it into the bin.',
      choices: ON_GONE,
      default: 'keep',
    },
    '--on-conflict <what>': {
      says: 'When a file has changed and people have edited its document since: as for import.',
      choices: ON_CONFLICT,
      default: 'keep',
    },
  },
  examples: [
    'meadow-server mirror add /srv/definitions --team <ID>',
    'meadow-server mirror add /mnt/projects --team <ID> --folder <ID> --gone bin --name Projects',
  ],
  run: runAdd,
}

interface AddOptions {
  team: string
  folder?: string
  name?: string
  gone: OnGone
  onConflict: OnConflict
}

async function runAdd(
  { env, output }: CommandContext,
  pathArgument: string,
  options: AddOptions,
): Promise<void> {
  const path = resolve(pathArgument)
  if (!(await stat(path)).isDirectory()) throw new CommandFailure(`"${printable(path)}" is not a folder.`)
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, options.team)
  const folder = await getFolder(storage.database, team, options.folder)
  const { gone, onConflict, name = basename(path) || path } = options
  const id = await createMirrorStore(storage.database)
    .add({ team: team.key, folder: folder.key, name, path, gone, onConflict })
    .catch((error: unknown) => {
      throw error instanceof MirrorError ? new CommandFailure(error.message) : error
    })
  await output.data({ id, name, path, teamId: team.id, folderId: folder.id, gone, onConflict }, () => id)
  output.message(
    `"meadow-server mirror run ${id}" reads it now; add --watch to follow changes as they are saved.`,
  )
}

/** `meadow-server mirror list` */
export const mirrorList: Declaration = {
  name: 'list',
  description: 'List the registered folders with their last runs.',
  options: { '--team <id>': 'Of this team only.' },
  examples: ['meadow-server mirror list', 'meadow-server mirror list --team <ID> --json'],
  run: runList,
}

async function runList({ env, output }: CommandContext, { team: teamId }: { team?: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = teamId === undefined ? undefined : await getTeam(storage.database, teamId)
  const mirrors = (await createMirrorStore(storage.database).list(team?.key)).map(showMirror)
  await output.data(
    { mirrors },
    {
      table: {
        columns: ['ID', 'NAME', 'PATH', 'TEAM', 'FOLDER', 'LAST RUN', 'STATE'],
        rows: mirrors.map(({ id, name, path, teamId, folder, lastRun, state }) => [
          id,
          name,
          path,
          teamId,
          folder?.name ?? 'none',
          lastRun?.startedAt ?? 'never',
          STATES[state] + (lastRun?.reason ? `: ${lastRun.reason}` : ''),
        ]),
      },
    },
  )
  if (mirrors.length === 0)
    output.message(
      'There is no mirror yet: register a folder with "meadow-server mirror add PATH --team ID".',
    )
}

const STATES: Record<MirrorState, string> = {
  new: 'has not run yet',
  running: 'running',
  fine: 'up to date',
  partial: 'not all was read',
  failed: 'failed',
  stopped: 'stopped',
  late: 'has not run for long',
}

/** A mirror as `--json` shows it. */
function showMirror({ key: _, team: __, folder, createdAt, completedAt, lastRun, ...mirror }: MirrorRecord) {
  const shown = {
    ...mirror,
    folder: folder ? { id: folder.id, name: folder.name } : null,
    createdAt: toTimestamp(createdAt),
    completedAt: completedAt === null ? null : toTimestamp(completedAt),
    lastRun: lastRun
      ? {
          ...lastRun,
          startedAt: toTimestamp(lastRun.startedAt),
          endedAt: lastRun.endedAt === null ? null : toTimestamp(lastRun.endedAt),
        }
      : null,
  }
  return { ...shown, state: findMirrorState(shown, Date.now()) }
}

/** `meadow-server mirror remove` */
export const mirrorRemove: Declaration = {
  name: 'remove',
  description:
    'Forget a registered folder. What was imported from it stays, and so does the folder on the disk.',
  arguments: { '<id>': 'The id of the mirror.' },
  examples: ['meadow-server mirror remove <ID>'],
  run: runRemove,
}

async function runRemove({ env, output }: CommandContext, id: string): Promise<void> {
  await using storage = await openStorage({ env, output })
  const store = createMirrorStore(storage.database)
  const { key, path } = await getMirror(store, id)
  await store.remove(key)
  await output.data({ id }, () => id)
  output.message(`"${printable(path)}" is not mirrored any more. Its documents stay.`)
}

/** `meadow-server mirror run` */
export const mirrorRun: Declaration = {
  name: 'run',
  summary: 'Import registered folders.',
  description:
    'Import one registered folder, or all of them one after the other, and record for the team what became of it. ' +
    'With --watch it goes on, and follows changes as files are saved.',
  arguments: { '[id]': 'The id of the mirror.' },
  options: {
    '--all': 'All mirrors.',
    ...FOLLOW_OPTIONS,
    '--dry-run': { says: 'Print what would be done, and write nothing.', conflicts: 'watch' },
    ...MAX_GONE_OPTION,
  },
  examples: [
    'meadow-server mirror run <ID>',
    'meadow-server mirror run --all',
    'meadow-server mirror run <ID> --dry-run',
    'meadow-server mirror run --all --watch',
    'meadow-server mirror run <ID> --watch --poll 30 --json',
  ],
  remarks: `
Exit codes are those of import. A mirror that another process runs at the moment is not run twice. With --json: one
object with what became of each mirror under "mirrors"; with --watch an object on each line, as for import.`,
  run: runRun,
}

interface RunOptions extends FollowOptions {
  all?: true
  dryRun?: true
  maxGone: number
}

async function runRun(context: CommandContext, id: string | undefined, options: RunOptions): Promise<void> {
  if ((id === undefined) === (options.all === undefined))
    throw new UsageFailure('Name the id of one mirror, or say "--all".')
  checkFollowOptions(options)
  const { output } = context
  await using storage = await openStorage(context)
  const store = createMirrorStore(storage.database)
  const mirrors = id === undefined ? await store.list() : [await getMirror(store, id)]
  using interrupt = context.watchInterrupt(() => output.message(STOPPING))
  await using importer = await openImporter(storage, interrupt.signal)
  const parts = { store, importer, interrupt, maxGonePercent: options.maxGone }
  if (options.watch) await followMirrors(context, parts, mirrors, options)
  else await runMirrors(context, parts, mirrors, options)
}

interface RunParts {
  store: MirrorStore
  importer: Importer
  interrupt: Interrupt
  maxGonePercent: number
}

/** One after the other; one that fails does not keep the next from running. */
async function runMirrors(
  { output, endWith }: CommandContext,
  parts: RunParts,
  mirrors: readonly MirrorRecord[],
  { dryRun }: RunOptions,
): Promise<void> {
  const { interrupt } = parts
  const list = output.openList('mirrors')
  const texts: string[] = []
  let exitCode = 0
  for (const mirror of mirrors) {
    if (interrupt.signal.aborted) break
    const { id, name, path } = mirror
    const plan: string[][] = []
    const onResult = (result: ImportResult) => {
      const planned = dryRun && describePlan(result)
      if (planned) plan.push(planned)
      const trouble = dryRun ? undefined : describeTrouble(result)
      if (trouble !== undefined) output.warning(`${printable(name)}: ${trouble}`)
    }
    try {
      const summary = dryRun
        ? await importMirror(parts, mirror, { dryRun, signal: interrupt.signal, onResult })
        : await runAndRecord(parts, id, onResult)
      list.add({ id, name, path, ...summary })
      texts.push(
        [`${printable(name)}, ${printable(path)}`, ...formatPlan(plan), describeSummary(summary), ''].join(
          '\n',
        ),
      )
      exitCode ||= exitCodeOf(summary)
    } catch (error) {
      exitCode ||= 1
      const reason = sentenceOf(error)
      list.add({ id, name, path, error: reason })
      output.warning(`${printable(name)}: ${reason}`)
    }
  }
  const interrupted = interrupt.signal.aborted
  list.end({ interrupted }, () => [...texts, `Mirrors: ${mirrors.length}.`].join('\n'))
  endWith(interrupted ? interrupt.exitCode : exitCode)
}

/** All at once, of which one runs at a time. */
async function followMirrors(
  { output, endWith }: CommandContext,
  parts: RunParts,
  mirrors: readonly MirrorRecord[],
  options: RunOptions,
): Promise<void> {
  if (mirrors.length === 0)
    throw new CommandFailure('There is no mirror to follow: see "meadow-server mirror add".')
  const { signal } = parts.interrupt
  const mutex = createMutex()
  const interrupted = await Promise.all(
    mirrors.map(async ({ key, id, name, path }) => {
      await using _ = sayWatched(parts.store, key)
      return await followImports(output, options, {
        path,
        signal,
        mark: { mirror: id, name },
        async run(onResult) {
          const release = await mutex.acquire()
          try {
            return await runAndRecord(parts, id, onResult)
          } finally {
            release()
          }
        },
      })
    }),
  )
  if (interrupted.includes(true)) endWith(parts.interrupt.exitCode)
}

/** Runs a mirror as it is registered now. */
async function runAndRecord(
  parts: RunParts,
  id: string,
  onResult: (result: ImportResult) => void,
): Promise<ImportSummary> {
  const mirror = await getMirror(parts.store, id)
  return runMirror(parts.store, {
    mirror: mirror.key,
    signal: parts.interrupt.signal,
    describe: sentenceOf,
    async work({ signal, record }) {
      const summary = await importMirror(parts, mirror, {
        signal,
        onResult(result) {
          const change = toRecordedChange(result)
          if (change) record(change)
          onResult(result)
        },
      })
      const { tooManyGone } = summary
      return { ...summary, reason: tooManyGone ? describeTooManyGone(tooManyGone) : undefined }
    },
  })
}

function importMirror(
  { importer, maxGonePercent }: RunParts,
  { name, path, team, folder, gone: onGone, onConflict }: MirrorRecord,
  options: Pick<ImportRequest, 'signal' | 'onResult' | 'dryRun'>,
): Promise<ImportSummary> {
  if (!folder) {
    throw new CommandFailure(
      `The folder of the team that "${printable(name)}" goes into was deleted: restore it from the bin, or remove the mirror.`,
    )
  }
  const rules = { onGone, maxGonePercent, onConflict: onConflict as OnConflict }
  return importer.run({ path, team, target: folder.key, ...rules, ...options })
}

/** Returns what a run of a mirror records of a file; undefined for one that has not changed. */
function toRecordedChange(result: ImportResult): RecordedChange | undefined {
  const { path } = result
  if (result.outcome === 'failed' || result.outcome === 'skipped')
    return { outcome: result.outcome, path, reason: result.reason }
  const id = result.documentId ?? result.fileId
  const from = 'movedFrom' in result ? result.movedFrom : undefined
  const outcome = toMirrorOutcome(result)
  return outcome && { outcome, path, ...(from !== undefined && { from }), ...(id !== undefined && { id }) }
}

function toMirrorOutcome(
  result: Exclude<ImportResult, { outcome: 'failed' | 'skipped' }>,
): MirrorOutcome | undefined {
  if (result.outcome === 'unchanged') return result.restored && 'restored'
  if (result.outcome === 'gone') return result.binned ? 'binned' : 'gone'
  return result.outcome === 'binned' ? 'left_in_bin' : result.outcome
}

/** Says that the mirror is followed, until it is disposed of. An outage of the database is reported by the runs. */
function sayWatched(store: MirrorStore, mirror: MirrorKey): AsyncDisposable {
  const say = (isWatched: boolean) => store.setWatched(mirror, isWatched).catch(() => {})
  void say(true)
  const timer = setInterval(() => say(true), WATCHED_MS / 3)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await say(false)
    },
  }
}

async function getMirror(store: MirrorStore, id: string): Promise<MirrorRecord> {
  const mirror = await store.find(id)
  if (!mirror)
    throw new CommandFailure(
      `There is no mirror "${printable(id)}". "meadow-server mirror list" shows all mirrors.`,
    )
  return mirror
}
