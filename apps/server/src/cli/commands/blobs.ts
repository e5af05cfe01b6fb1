import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCount,
  UsageFailure,
} from '@meadow/command'
import { createProgress, formatTable } from '@meadow/command/terminal'
import { formatBytes } from '@meadow/contract/terms'
import { type Config, readConfig } from '../../config.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type BlobCopies, copyBlobs, listDigests } from '../../platform/blobs/copy-blobs.ts'
import { DigestSet } from '../../platform/blobs/digest-set.ts'
import {
  BLOBS_ACCEPTS,
  type BlobsLocation,
  openBlobs,
  readBlobsLocation,
  writeBlobsLocation,
} from '../../platform/blobs/open-blobs.ts'
import {
  adoptStore,
  beginMove,
  cancelMove,
  finishMove,
  listBlobStores,
  nameProcess,
  STORE_METADATA,
} from '../../platform/cluster/blob-stores.ts'
import { listProcesses, type ProcessRecord } from '../../platform/cluster/processes.ts'
import type { Database } from '../../platform/database/database.ts'
import { listBlobReferences } from '../../team/blob-references.ts'
import { openStorage } from '../storage.ts'

/** `meadow-server blobs move` */
export const blobsMove: Declaration = {
  name: 'move',
  summary: 'Move the files of the stopped service to another store.',
  description:
    'Copy all files of the service from the store that MEADOW_BLOBS names to another one, verify each, and make that ' +
    'the store of the service. All its processes must be stopped, and none starts until the move has ended or is ' +
    'cancelled. It can be interrupted: the same command goes on. Then start the service with MEADOW_BLOBS set to ' +
    'the new place.',
  options: {
    '--to <location>': `Where to: ${BLOBS_ACCEPTS}.`,
    '--skip-damaged': 'End the move although files are damaged, which are not copied.',
    '--cancel': {
      says: 'Go back to the store that was used before; copied files stay where they are.',
      conflicts: ['to', 'skipDamaged'],
    },
  },
  examples: [
    'meadow-server blobs move --to "s3://files/meadow?endpoint=https://s3.example.org&region=eu"',
    'meadow-server blobs move --cancel',
  ],
  run: runMove,
}

/** `meadow-server blobs status` */
export const blobsStatus: Declaration = {
  name: 'status',
  summary: 'Show where the files of the service are, and which processes use them.',
  description: 'Show the stores that the service uses or used, and the running processes of each.',
  examples: ['meadow-server blobs status', 'meadow-server blobs status --json'],
  run: runStatus,
}

/** `meadow-server blobs adopt` */
export const blobsAdopt: Declaration = {
  name: 'adopt',
  summary: 'Declare that the files of the service are where MEADOW_BLOBS says.',
  description:
    'Declare that the files of the service are where MEADOW_BLOBS says: they were copied there by hand or restored, or ' +
    'the service that they belonged to is gone. All files that the database refers to have to be there, and no ' +
    'process may run.',
  options: { '--with-missing': 'Also when files are missing: what needs them cannot be read.' },
  examples: ['meadow-server blobs adopt', 'meadow-server blobs adopt --with-missing'],
  run: runAdopt,
}

interface MoveOptions {
  to?: string
  skipDamaged?: true
  cancel?: true
}

async function runMove(context: CommandContext, options: MoveOptions): Promise<void> {
  const { env, output } = context
  const config = readConfig(env)
  using interrupt = context.watchInterrupt(() =>
    output.warning('Stopped. The same command goes on from here.'),
  )
  const { signal } = interrupt
  await using storage = await openStorage(context)
  const { database } = storage
  if (options.cancel) return await cancel(context, config, database)
  const location = options.to === undefined ? undefined : readBlobsLocation(options.to, config.s3Access)
  if (!location) throw new UsageFailure(`Say with "--to" where to: ${BLOBS_ACCEPTS}.`)
  await move(context, { database, config, location, skipDamaged: options.skipDamaged === true }, signal)
}

interface Move {
  database: Database
  config: Config
  /** The location that the blobs are moved to. */
  location: BlobsLocation
  skipDamaged: boolean
}

async function move(
  context: CommandContext,
  { database, config, location, skipDamaged }: Move,
  signal: AbortSignal,
): Promise<void> {
  const { output, endWith } = context
  const former = { location: config.blobsLocation, blobs: await openBlobs(config.blobsLocation) }
  const blobs = await openBlobs(location)
  const next = await beginMove(database, former, { location, blobs })
  const copies = await copyAll(context, { from: former.blobs, to: blobs }, signal)
  const { faults } = copies
  for (const { digest, fault } of faults)
    output.warning(`The file ${digest} is ${fault}, and was not copied.`)
  output.message(
    `Copied ${formatCount(copies.copied)} files (${formatBytes(copies.bytes)}); ${formatCount(copies.present)} were there.`,
  )
  const isDone = faults.length === 0 || skipDamaged
  const report = { ...copies, to: next.location, isDone }
  if (!isDone) {
    await output.data(report, () => 'Not moved: files could not be copied.')
    output.warning(
      'Replace them from a backup, or run this again with --skip-damaged; after "blobs move --cancel", ' +
        '"meadow-server doctor --verify" says what needs them.',
    )
    return endWith(1)
  }
  await finishMove(database, next)
  await output.data(report, () => `The files of this service are in ${next.location} now.`)
  output.message(
    `Set MEADOW_BLOBS='${next.location}' before you start the service again. Keep the former store until ` +
      '"meadow-server doctor --verify" has found no fault.',
  )
}

async function copyAll(
  { env, output, stderr }: CommandContext,
  stores: { from: BlobStore; to: BlobStore },
  signal: AbortSignal,
): Promise<BlobCopies> {
  using progress = createProgress({ env, output, stderr })
  return copyBlobs(stores, listInPages(stores.from), {
    signal,
    onBlob: () => progress.advance('files compared'),
  })
}

async function* listInPages(store: BlobStore): AsyncGenerator<readonly string[]> {
  for await (const { digest } of store.list()) yield [digest]
}

async function cancel({ output }: CommandContext, { s3Access }: Config, database: Database): Promise<void> {
  const next = await cancelMove(database)
  if (!next) throw new CommandFailure('The files are not being moved.')
  const location = readBlobsLocation(next.location, s3Access)
  try {
    if (location) await (await openBlobs(location)).removeMetadata(STORE_METADATA)
  } catch {
    output.warning(
      `The mark in ${next.location} could not be removed. It matters only if that store is used again.`,
    )
  }
  await output.data({ cancelled: next.location }, () => `The move to ${next.location} is cancelled.`)
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
  await context.output.data(
    { stores: rows.map((store) => ({ ...store, processes: store.processes.map(showProcess) })) },
    () =>
      rows.length === 0
        ? 'The service has not been started yet.'
        : formatTable({
            columns: ['STATE', 'LOCATION', 'REGISTERED ON', 'PROCESSES'],
            rows: rows.map(({ state, location, host, processes }) => [
              state,
              location,
              host,
              processes.map(nameProcess).join(', ') || 'none',
            ]),
          }),
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
  await output.data({ id, location, missing }, () => `The files of this service are in ${location}.`)
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
