import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCount,
  formatCountOf,
  printable,
} from '@meadow/command'
import { createProgress, formatTable } from '@meadow/command/terminal'
import { replaceSessionSecret } from '../../access/session-cookie.ts'
import { recordCommand } from '../../audit/record-command.ts'
import { type Config, readConfig } from '../../config.ts'
import type { CopyProgress } from '../../features/backup/back-up.ts'
import { checkMoment } from '../../features/backup/check-moment.ts'
import { listMoments, type Moment, type SavedSecret } from '../../features/backup/moments.ts'
import { restore } from '../../features/backup/restore.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { BlobFault } from '../../platform/blobs/copy-blobs.ts'
import { openBlobs } from '../../platform/blobs/open-blobs.ts'
import { STORE_METADATA } from '../../platform/cluster/blob-stores.ts'
import { ensureDataFolder } from '../../platform/data-folder.ts'
import { openAsItIs } from '../../platform/database/open-database.ts'
import { readBackupLocation } from '../backup-location.ts'

/** `meadow-server restore` */
export const restoreBackup: Declaration = {
  name: 'restore',
  description:
    'Make an empty service what another one was when it was backed up, whichever database and file store either has. ' +
    'No process of the service may run meanwhile. Where it goes is what the environment says (DATABASE_URL, ' +
    'MEADOW_DATA_DIR, MEADOW_BLOBS).',
  arguments: { '<source>': 'What "meadow-server backup" was given.' },
  options: {
    '--list': 'Only list the moments that the source has, the newest first.',
    '--check': 'Only read everything that belongs to the moment, and compare it with its digests.',
    '--moment <id>': 'Which moment; the newest unless told.',
  },
  examples: [
    'meadow-server restore /mnt/backup/meadow --list',
    'meadow-server restore /mnt/backup/meadow --check',
    'MEADOW_DATA_DIR=/srv/meadow meadow-server restore /mnt/backup/meadow',
    'DATABASE_URL=postgres://… meadow-server restore /mnt/backup/meadow --moment <MOMENT>',
  ],
  run: runRestore,
}

interface Options {
  list?: true
  check?: true
  moment?: string
}

async function runRestore(context: CommandContext, text: string, options: Options): Promise<void> {
  const { env, output, stderr } = context
  const config = readConfig(env)
  const location = readBackupLocation(text, config)
  const source = await location.openToRead()
  const moments = await listMoments(source)
  if (options.list) return printMoments(context, moments)
  const moment = findMoment(moments, options.moment, location.name)
  using interrupt = context.watchInterrupt(() =>
    output.warning('Stopped. The same command goes on from here.'),
  )
  const { signal } = interrupt
  using progress = createProgress({ env, output, stderr })
  const hooks = { signal, onBlobs: progress.expect, onBlob: progress.advance }
  if (options.check) await check(context, source, moment, hooks)
  else await restoreMoment(context, config, source, moment, hooks)
}

async function printMoments({ output }: CommandContext, moments: readonly Moment[]): Promise<void> {
  const newestFirst = moments.toReversed()
  await output.data({ moments: newestFirst }, () =>
    moments.length === 0
      ? 'There are no moments.'
      : formatTable({
          columns: ['moment', 'saved at', 'Meadow', 'teams', 'documents', 'blobs', 'faults'],
          rows: newestFirst.map(({ id, at, meadow, teams, documents, blobs, faults }) => [
            id,
            at,
            meadow,
            ...[teams, documents, blobs, faults].map(formatCount),
          ]),
        }),
  )
}

function findMoment(moments: readonly Moment[], id: string | undefined, name: string): Moment {
  const found = id === undefined ? moments.at(-1) : moments.find((moment) => moment.id === id)
  if (found) return found
  throw new CommandFailure(
    id === undefined
      ? `There is no backup in ${printable(name)}: no run of "meadow-server backup" to it has ended.`
      : `There is no moment "${printable(id)}". "meadow-server restore SOURCE --list" shows all moments.`,
  )
}

async function check(
  { output, endWith }: CommandContext,
  source: BlobStore,
  moment: Moment,
  hooks: CopyProgress,
): Promise<void> {
  const { parts, blobs } = await checkMoment(source, moment, hooks)
  await output.data({ moment: moment.id, parts, blobs }, () => describeCheck(moment, parts, blobs))
  for (const part of parts) output.warning(part)
  warnOfBlobs({ output }, blobs)
  if (parts.length > 0 || blobs.length > 0) endWith(1)
}

function describeCheck(
  { id, faults }: Moment,
  parts: readonly string[],
  blobs: readonly BlobFault[],
): string {
  if (parts.length > 0) return `${id} cannot be restored.`
  if (blobs.length > faults) return `${id} can be restored without ${formatCountOf(blobs.length, 'blob')}.`
  return faults === 0
    ? `${id} is as it was saved.`
    : `${id} is as it was saved, without ${formatCountOf(faults, 'blob')} that ${faults === 1 ? 'was' : 'were'} missing or damaged then.`
}

async function restoreMoment(
  { output, endWith }: CommandContext,
  config: Config,
  source: BlobStore,
  moment: Moment,
  hooks: CopyProgress,
): Promise<void> {
  const notify = (sentence: string) => output.warning(printable(sentence))
  ensureDataFolder(config.dataDir, notify)
  const database = await openAsItIs(config, { notify })
  try {
    const blobs = await openBlobs(config.blobsLocation)
    if ((await blobs.readMetadata(STORE_METADATA)) !== undefined) {
      output.warning(
        'The file store has been used before: no other service may use it, or each would remove files of the other.',
      )
    }
    const takeSecret = async ({ kind, ...generated }: SavedSecret) => {
      if (config.sessionSecret !== undefined) return
      if ('secret' in generated) await replaceSessionSecret(config.dataDir, generated.secret)
      if (kind === 'configured') output.warning(SET_SECRET)
    }
    const copies = await restore({ source, moment, database, blobs, notify, takeSecret }, hooks)
    await recordCommand(database)
    await output.data({ ...moment, blobs: { ...copies, total: moment.blobs } }, () => moment.id)
    output.message(
      `Restored ${formatCountOf(moment.teams, 'team')} with ${formatCountOf(moment.documents, 'document')} as of ${moment.at}. ` +
        'What was revoked, removed or changed after that is as it was then: tokens, members, passwords.',
    )
    warnOfBlobs({ output }, copies.faults)
    if (copies.faults.length > 0) endWith(1)
  } finally {
    await database.close()
  }
}

const SET_SECRET =
  'MEADOW_SESSION_SECRET was set when this was saved: set it to the same value, or everybody has to sign in again.'
const MAX_SHOWN = 10

function warnOfBlobs({ output }: Pick<CommandContext, 'output'>, faults: readonly BlobFault[]): void {
  for (const { digest, fault } of faults.slice(0, MAX_SHOWN))
    output.warning(`The blob ${digest} is ${fault}.`)
  if (faults.length > 0) {
    output.warning(
      `Missing or damaged: ${formatCountOf(faults.length, 'blob')}. "meadow-server doctor --verify" says what needs them.`,
    )
  }
}
