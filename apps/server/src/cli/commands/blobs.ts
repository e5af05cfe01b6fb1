import { formatBytes } from '@meadow/contract/terms'
import { Command, Option } from 'commander'
import { listBlobReferences } from '../../catalogue/blob-references.ts'
import { type Config, readConfig } from '../../config.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type BlobCopies, copyBlobs, listDigests } from '../../platform/blobs/copy-blobs.ts'
import { DigestSet } from '../../platform/blobs/digest-set.ts'
import {
  BLOBS_ACCEPTS,
  openBlobs,
  readBlobsLocation,
  writeBlobsLocation,
} from '../../platform/blobs/open-blobs.ts'
import {
  adoptStore,
  type BlobStoreRecord,
  cancelMove,
  endMove,
  finishMove,
  listBlobStores,
  nameProcess,
  openServiceBlobs,
  registerNext,
  removeMarks,
  StoreInUseError,
} from '../../platform/cluster/blob-stores.ts'
import { listProcesses, type ProcessRecord } from '../../platform/cluster/processes.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'
import { examples } from '../help.ts'
import { formatCount, formatTable, printable } from '../output/format.ts'
import { canDraw, createProgress } from '../output/progress.ts'
import { watchInterrupt } from '../signals.ts'
import { openStorage } from '../storage.ts'

/** `meadow-server blobs move` */
export const blobsMove = (start: StartCommand): Command =>
  new Command('move')
    .summary('Move the files of the service to another store, while it runs.')
    .description(
      'Copy all files of the service to another store while it runs. Then restart its processes, one after the other, ' +
        'with MEADOW_BLOBS set to the new place, and run this command again with that setting: it copies what came ' +
        'meanwhile and ends the move, when no process uses the former place any more. It can be stopped and repeated at ' +
        'any time. Until the end, garbage collection removes nothing.',
    )
    .option('--to <location>', `Where to: ${BLOBS_ACCEPTS}.`)
    .option('--skip-damaged', 'End the move although files are damaged, which are not copied.')
    .addOption(
      new Option(
        '--cancel',
        'Go back to the store that is used now; copied files stay where they are.',
      ).conflicts(['to', 'skipDamaged']),
    )
    .action(start(runMove))
    .addHelpText(
      'after',
      examples(
        'meadow-server blobs move --to "s3://files/meadow?endpoint=https://s3.example.org&region=eu"',
        'meadow-server blobs move',
        'meadow-server blobs move --cancel',
      ),
    )

/** `meadow-server blobs status` */
export const blobsStatus = (start: StartCommand): Command =>
  new Command('status')
    .summary('Show where the files of the service are, and which processes use them.')
    .description('Show the stores that the service uses or used, and the running processes of each.')
    .action(start(runStatus))
    .addHelpText('after', examples('meadow-server blobs status', 'meadow-server blobs status --json'))

/** `meadow-server blobs adopt` */
export const blobsAdopt = (start: StartCommand): Command =>
  new Command('adopt')
    .summary('Declare that the files of the service are where MEADOW_BLOBS says.')
    .description(
      'Declare that the files of the service are where MEADOW_BLOBS says: they were copied there by hand or restored, or ' +
        'the service that they belonged to is gone. All files that the database refers to have to be there, and no ' +
        'process may run.',
    )
    .option('--with-missing', 'Also when files are missing: what needs them cannot be read.')
    .action(start(runAdopt))
    .addHelpText('after', examples('meadow-server blobs adopt', 'meadow-server blobs adopt --with-missing'))

interface MoveOptions {
  to?: string
  skipDamaged?: true
  cancel?: true
}

async function runMove(context: CommandContext, options: MoveOptions): Promise<void> {
  const { env, output, endWith } = context
  const config = readConfig(env)
  using interrupt = watchInterrupt(() => output.warning('Stopped. The same command goes on from here.'))
  const { signal } = interrupt
  try {
    await using storage = await openStorage(context)
    const { database } = storage
    if (options.cancel) await cancel(context, config, database)
    else await move(context, { database, config, ...options }, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    endWith(interrupt.exitCode)
  }
}

interface Move extends MoveOptions {
  database: Database
  config: Config
}

async function move(context: CommandContext, options: Move, signal: AbortSignal): Promise<void> {
  const { output, endWith } = context
  const { database, skipDamaged } = options
  const here = writeBlobsLocation(options.config.blobsLocation)
  const { from, next, address } = await begin(options)
  const copies = await copyAll(context, { from, to: next }, signal)
  const damaged = copies.faults.filter(({ fault }) => fault === 'damaged')
  const report = { ...copies, faults: damaged, to: address }
  for (const { digest } of damaged) output.warning(`The file ${digest} is damaged, and was not copied.`)
  output.message(
    `Copied ${formatCount(copies.copied)} files (${formatBytes(copies.bytes)}); ${formatCount(copies.present)} were there.`,
  )
  if (damaged.length > 0 && !skipDamaged) {
    output.data({ ...report, isDone: false, processes: [] }, () => 'Not moved: files are damaged.')
    output.warning(
      '"meadow-server doctor --verify" says what needs them. Replace them from a backup, or run this again with --skip-damaged.',
    )
    return endWith(1)
  }
  try {
    await finishMove(database)
  } catch (error) {
    if (!(error instanceof StoreInUseError)) throw error
    const processes = error.processes.map(showProcess)
    output.data({ ...report, isDone: false, processes }, () => describeNext(address, error.processes))
    // The operator has restarted everything, as this command thinks.
    if (here === address) endWith(1)
    return
  }
  // What a process put after its folder was listed above; none can do that any more.
  await copyAll(context, { from, to: next }, signal)
  await endMove(next)
  output.data(
    { ...report, isDone: true, processes: [] },
    () => `The files of this service are in ${address} now.`,
  )
  output.message(
    'The former store is not used any more. Keep it until "meadow-server doctor --verify" has found no fault.',
  )
  if (here !== address) output.message(`Set MEADOW_BLOBS='${address}' before you start the service again.`)
}

/** Registers the move, or finds the one that has begun. */
async function begin({
  database,
  config,
  to,
}: Move): Promise<{ from: BlobStore; next: BlobStore; address: string }> {
  const read = (text: string) => readBlobsLocation(text, config.s3Access)
  const target = to === undefined ? undefined : read(to)
  if (to !== undefined && !target) throw new UsageFailure(`"--to" must be ${BLOBS_ACCEPTS}.`)
  const { location, blobs } = await openServiceBlobs(database, config.blobsLocation, read)
  if (location.kind === 'moving') {
    const address = writeBlobsLocation(location.next)
    if (target && writeBlobsLocation(target) !== address)
      throw new UsageFailure(`The files are being moved to ${address}: leave "--to" out, or name that.`)
    return { from: await openBlobs(location.former), next: await openBlobs(location.next), address }
  }
  if (!target) throw new UsageFailure(describeNoMove(await listBlobStores(database.read)))
  const next = await openBlobs(target)
  await registerNext(database, next, target)
  return { from: blobs, next, address: writeBlobsLocation(target) }
}

function describeNoMove(stores: readonly BlobStoreRecord[]): string {
  const next = stores.find(({ state }) => state === 'next')
  return next
    ? `The files are being moved to ${next.location}: set MEADOW_BLOBS to that, or name it with --to.`
    : 'The files are not being moved. Say where to with --to.'
}

async function copyAll(
  { env, output, stderr }: CommandContext,
  stores: { from: BlobStore; to: BlobStore },
  signal: AbortSignal,
): Promise<BlobCopies> {
  using progress = createProgress(stderr, !output.json && canDraw(stderr, env.TERM))
  return copyBlobs(stores, listInPages(stores.from), {
    signal,
    onBlob: () => progress.advance('files compared'),
  })
}

async function* listInPages(store: BlobStore): AsyncGenerator<readonly string[]> {
  for await (const { digest } of store.list()) yield [digest]
}

const describeNext = (address: string, processes: readonly ProcessRecord[]): string =>
  [
    'These processes still use the former store (one that was killed is listed for a while):',
    ...processes.map((one) => `  ${printable(nameProcess(one))}`),
    '',
    `1. Restart them, one after the other, with MEADOW_BLOBS='${address}'`,
    '2. Run "meadow-server blobs move" with the same setting: it copies the rest and ends the move.',
  ].join('\n')

async function cancel({ output }: CommandContext, { s3Access }: Config, database: Database): Promise<void> {
  const next = await cancelMove(database)
  if (!next) throw new CommandFailure('The files are not being moved.')
  const location = readBlobsLocation(next.location, s3Access)
  try {
    if (location) await removeMarks(await openBlobs(location))
  } catch {
    output.warning(
      `The marks in ${next.location} could not be removed. They matter only if it is used again.`,
    )
  }
  output.data({ cancelled: next.location }, () => `The move to ${next.location} is cancelled.`)
}

const showProcess = ({ kind, pid, host, address, silentMs }: ProcessRecord) => ({
  kind,
  pid,
  host,
  address,
  silentMs,
})

async function runStatus(context: CommandContext): Promise<void> {
  await using storage = await openStorage(context)
  const { database } = storage
  const [stores, processes] = [await listBlobStores(database.read), await listProcesses(database)]
  const rows = stores.map((store) => ({
    ...store,
    processes: processes.filter(({ blobStore }) => blobStore === store.id),
  }))
  context.output.data(
    { stores: rows.map((store) => ({ ...store, processes: store.processes.map(showProcess) })) },
    () =>
      rows.length === 0
        ? 'The service has not been started yet.'
        : formatTable(
            ['STATE', 'LOCATION', 'REGISTERED ON', 'PROCESSES'],
            rows.map(({ state, location, host, processes }) => [
              state,
              location,
              host,
              processes.map(nameProcess).join(', ') || 'none',
            ]),
          ),
  )
}

async function runAdopt(context: CommandContext, { withMissing }: { withMissing?: true }): Promise<void> {
  const { env, output } = context
  const { blobsLocation } = readConfig(env)
  await using storage = await openStorage(context)
  const { database } = storage
  const blobs = await openBlobs(blobsLocation)
  const missing = await countMissing(database, blobs)
  if (missing > 0 && !withMissing) {
    throw new CommandFailure(
      `${formatCount(missing)} files that the database refers to are not in ${writeBlobsLocation(blobsLocation)}. Copy them ` +
        'there, or use --with-missing: "meadow-server doctor --verify" then says what needs them.',
    )
  }
  const { id, location } = await adoptStore(database, blobs, blobsLocation)
  output.data({ id, location, missing }, () => `The files of this service are in ${location}.`)
  if (missing > 0) output.warning(`${formatCount(missing)} files are missing.`)
}

async function countMissing({ read }: Database, blobs: BlobStore): Promise<number> {
  const stored = await listDigests(blobs)
  const missing = new DigestSet()
  for await (const page of listBlobReferences(read)) {
    for (const { digest } of page) if (!stored.has(digest)) missing.add(digest)
  }
  return missing.size
}
