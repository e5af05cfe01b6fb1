import { mkdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { InvalidArgumentError, printable, readWhole, UsageFailure } from '@meadow/command'
import { createProgress } from '@meadow/command/terminal'
import type { Command, CommandContext } from '../command-context.ts'
import { EXIT_CODES } from '../failure.ts'
import { findFolder } from '../find/find-folder.ts'
import { FORMAT_NAMES, FORMATS, type Format } from '../pull/formats.ts'
import { checkRepository, commitFolder } from '../pull/git.ts'
import { type PulledChange, type PullSummary, pull } from '../pull/pull.ts'

interface PullCommandOptions {
  folder?: string
  format: Format[]
  keep?: true
  allowNarrower?: true
  allowMissing?: true
  verify?: true
  commit?: true | string
  concurrency: number
}

const FORMATS_HELP = FORMAT_NAMES.map((name) => `  ${name.padEnd(10)}${FORMATS[name].says}`).join('\n')

/** `meadow pull` mirrors documents, values and exports into a folder. */
export const pullCommand: Command = {
  name: 'pull',
  description:
    'Keep a folder of this computer in line with a folder of the team: only what has changed is read. It can be ' +
    'stopped at any moment and run again. What was changed in the mirror itself is overwritten. Files that ' +
    'cannot be made, of documents that are not solved, are named, and the exit code is 1.',
  arguments: {
    '[target]': { says: 'The folder of the mirror, which may be in a git repository.', default: '.' },
  },
  options: {
    '--folder <folder>': 'The folder of the team; everything unless named.',
    '--format <formats>': {
      says: 'The files of each document, with commas between them.',
      read: readFormats,
      default: ['json', 'csv'],
    },
    '--keep': 'Keep the files of documents that are gone.',
    '--allow-narrower':
      'Also remove the files of documents that a token limited to folders does not read, though they may exist.',
    '--allow-missing': 'Exit with 0 also when files are missing, of documents that are not solved.',
    '--verify': 'Compare every file by its digest, and write again what was changed here.',
    '--commit [message]': 'Commit the folder with git, if something has changed.',
    '--concurrency <count>': {
      says: 'How many documents are read at once.',
      read: readWhole(1, 64),
      default: 6,
    },
  },
  notes: `\nFormats:\n${FORMATS_HELP}`,
  reads: ['readFolder', 'readDocument', 'readSolution', 'requestExport'],
  examples: [
    'meadow pull ./mirror',
    'meadow pull ./mirror --folder Facades --format json,csv,gh,3dm',
    'meadow pull --commit "Nightly pull" && git push',
  ],
  run: pullInto,
}

function readFormats(text: string): Format[] {
  const names = text.split(',').map((name) => name.trim().replace(/^\./, ''))
  const unknown = names.find((name) => !FORMAT_NAMES.includes(name as Format))
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no format "${unknown}". The formats are ${FORMAT_NAMES.join(', ')}.`,
    )
  return FORMAT_NAMES.filter((name) => names.includes(name))
}

async function pullInto(context: CommandContext, target: string, options: PullCommandOptions): Promise<void> {
  const { output, stderr, env, signal, run } = context
  const folder = resolve(target)
  if (typeof options.commit === 'string') await checkMessage(options.commit)
  const meadow = await context.openMeadow()
  const source = options.folder === undefined ? undefined : await findFolder(meadow, options.folder, signal)
  await mkdir(folder, { recursive: true })
  if (options.commit !== undefined) await checkRepository(folder)
  using progress = createProgress({ env, output, stderr })
  const summary = await pull(meadow, {
    target: folder,
    folderId: source && source.parentId !== null ? source.id : 'root',
    formats: options.format,
    keep: options.keep === true,
    allowNarrower: options.allowNarrower === true,
    verify: options.verify === true,
    concurrency: options.concurrency,
    signal,
    run,
    onDone: (done, total, name) => progress.show(`${done} of ${total}  ${name}`),
  })
  progress.clear()
  const commit =
    options.commit !== undefined
      ? await commitFolder(folder, options.commit === true ? describeCounts(summary) : options.commit)
      : undefined
  await output.data(
    { target: folder, ...summary, ...(options.commit && { commit: commit ?? null }) },
    {
      table: {
        columns: ['what', 'path', 'files', 'id'],
        rows: summary.changes.map(({ type, path, written, id }) => [type, path, written.join(' '), id]),
      },
      text: () => describe(summary, commit),
    },
  )
  if (summary.reach === 'folders')
    output.warning('The token is limited to folders: what is gone was deleted, or has left these folders.')
  for (const { path, error } of summary.errors) output.warning(`${path}: ${error}`)
  for (const { path, state } of summary.missing) output.warning(`${path} is missing: ${REASONS[state]}.`)
  const isIncomplete = summary.missing.length > 0 && !options.allowMissing
  if (summary.errors.length > 0 || isIncomplete) context.endWith(EXIT_CODES.failed)
}

/**
 * Rejects a message that is probably a folder: `pull --commit ./mirror` has `./mirror` as its message, and would pull
 * into the current folder.
 */
async function checkMessage(message: string): Promise<void> {
  const isFolder = (await stat(message).catch(() => undefined))?.isDirectory()
  if (message.trim() !== '' && !isFolder && !/^\.{1,2}[\\/]/.test(message)) return
  throw new UsageFailure(
    `${JSON.stringify(message)} is no message of a commit. For a folder, write it before --commit: "meadow pull ./mirror --commit".`,
  )
}

/** The reasons why a file cannot be made, by the state of the solution. */
const REASONS: Record<PullSummary['missing'][number]['state'], string> = {
  'never solved': 'the document was never solved',
  solving: 'the document is being solved',
  failed: 'the last solve of the document failed',
}

const MARKS = { new: '+', changed: '~', moved: '>', gone: '-' } as const

function describe(summary: PullSummary, commit: string | undefined): string {
  return [
    ...summary.changes.map(describeChange),
    ...describeNotSolved(summary.notSolved),
    `${describeCounts(summary)}.${commit === undefined ? '' : ` Commit ${commit.slice(0, 12)}.`}`,
  ].join('\n')
}

function describeChange({ type, path, written, from }: PulledChange): string {
  const files = written.length === 0 ? '' : `  (${written.join(', ')})`
  const origin = from === undefined ? '' : `  from ${printable(from)}`
  return `${MARKS[type]} ${printable(path)}${files}${origin}`
}

function describeNotSolved(notSolved: PullSummary['notSolved']): string[] {
  const states = [...new Set(notSolved.map(({ state }) => state))]
  return states.map((state) => {
    const paths = notSolved.filter((one) => one.state === state).map(({ path }) => printable(path))
    const more = paths.length > 5 ? ` and ${paths.length - 5} more` : ''
    return `${state}: ${paths.slice(0, 5).join(', ')}${more}`
  })
}

/** Describes the counts of a pull, such as `15 documents: 2 new, 13 unchanged`. */
function describeCounts({ documents, unchanged, changes, missing, errors }: PullSummary): string {
  const counts = (Object.keys(MARKS) as PulledChange['type'][]).flatMap((type) => {
    const count = changes.filter((change) => change.type === type).length
    return count === 0 ? [] : [`${count} ${type}`]
  })
  const failed = errors.length > 0 ? [`${errors.length} not read`] : []
  const without = new Set(missing.map(({ id }) => id)).size
  const incomplete = without > 0 ? [`${without} without all files`] : []
  return `${documents} documents: ${[...counts, `${unchanged} unchanged`, ...failed, ...incomplete].join(', ')}`
}
