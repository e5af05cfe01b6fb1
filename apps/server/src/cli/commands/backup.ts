import { type CommandContext, type Declaration, formatCount, formatCountOf, readWhole } from '@meadow/command'
import { createProgress } from '@meadow/command/terminal'
import { readConfig } from '../../config.ts'
import { backUp, type SavedMoment } from '../../features/backup/back-up.ts'
import { readBackupLocation } from '../backup-location.ts'
import { openExistingStorage } from '../storage.ts'

/** `meadow-server backup` */
export const backup: Declaration = {
  name: 'backup',
  description:
    'Save everything of the service as it is at this moment, while it runs: all teams, people, documents, solutions ' +
    'and files. What an earlier backup to the same target has saved is not copied again. ' +
    'Whoever can read a backup can read everything, and sign in as anybody: protect it like the service.',
  arguments: {
    '<target>': 'A folder, or an object store as s3://bucket/prefix?endpoint=…; the same one each time.',
  },
  options: {
    '--keep <number>': {
      says: 'Remove all but so many of the moments that the target has.',
      read: readWhole(1, 100_000),
    },
  },
  examples: [
    'meadow-server backup /mnt/backup/meadow --keep 30',
    'meadow-server backup "s3://backups/meadow?endpoint=https://s3.example.org&region=eu"',
    'meadow-server restore /mnt/backup/meadow --list',
  ],
  run: runBackup,
}

async function runBackup(
  context: CommandContext,
  target: string,
  { keep }: { keep?: number },
): Promise<void> {
  const { env, output, stderr, endWith } = context
  const location = readBackupLocation(target, readConfig(env))
  using interrupt = context.watchInterrupt(() =>
    output.warning('Stopped. The next backup goes on from here.'),
  )
  const { signal } = interrupt
  await using storage = await openExistingStorage(context)
  using progress = createProgress({ env, output, stderr })
  const saved = await backUp(
    {
      database: storage.database,
      blobs: await storage.openBlobs(),
      target: await location.openToWrite(),
      targetName: location.name,
      sessionSecret: await storage.findSessionSecret(),
      keep,
    },
    { signal, onBlobs: progress.expect, onBlob: progress.advance },
  )
  progress[Symbol.dispose]()
  const { moment, blobs, removed } = saved
  await output.data({ ...moment, blobs: { ...blobs, total: moment.blobs }, removed }, () => moment.id)
  output.message(describe(saved))
  for (const { digest, fault } of blobs.faults.slice(0, MAX_SHOWN))
    output.warning(`The blob ${digest} is ${fault}.`)
  if (blobs.faults.length === 0) return
  output.warning(
    `Missing or damaged, and not in the backup: ${formatCountOf(blobs.faults.length, 'blob')} of the service. ` +
      '"meadow-server doctor --verify" says what needs them.',
  )
  endWith(1)
}

const MAX_SHOWN = 10

function describe({ moment, blobs, removed }: SavedMoment): string {
  const { teams, documents } = moment
  const saved =
    `Saved ${formatCountOf(teams, 'team')} with ${formatCountOf(documents, 'document')} and ` +
    `${formatCountOf(moment.blobs, 'blob')}; new: ${formatCount(blobs.copied)} (${formatCount(blobs.bytes)} bytes).`
  return removed.moments === 0
    ? saved
    : `${saved} Removed ${formatCountOf(removed.moments, 'older moment')} with ${formatCountOf(removed.blobs, 'blob')}.`
}
