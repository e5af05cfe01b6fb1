import { formatBytes } from '@meadow/contract'
import { Command, InvalidArgumentError } from 'commander'
import { wholeNumber } from '../../config/kinds.ts'
import { type Config, readConfig } from '../../config.ts'
import { examine, type Finding } from '../../features/doctor/doctor.ts'
import { type Verification, verifyBlobs } from '../../features/doctor/verify-blobs.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { readBlobsLocation } from '../../platform/blobs/open-blobs.ts'
import { openServiceBlobs } from '../../platform/cluster/blob-stores.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { sentenceOf } from '../failure.ts'
import { examples } from '../help.ts'
import { formatCount, printable } from '../output/format.ts'
import { canDraw, createProgress } from '../output/progress.ts'
import { watchInterrupt } from '../signals.ts'
import { openStorage, type Storage } from '../storage.ts'

const megabytes = wholeNumber(1, 100_000)

/** `meadow-server doctor` */
export const doctor = (start: StartCommand): Command =>
  new Command('doctor')
    .summary('Examine the service, and say what is wrong and what to do.')
    .description(
      'Examine the database, notifications, the files, clocks, secrets and versions of all processes, the base URL and the ' +
        'disk. Each fault is named with a remedy. The exit code is 1 when there are faults. Run it with the same variables ' +
        'as the service.',
    )
    .option('--verify', 'Also read every file that the database refers to, and compare it with its digest.')
    .option('--rate <megabytes>', 'With --verify: read at most so many megabytes each second.', readRate)
    .action(start(runDoctor))
    .addHelpText(
      'after',
      examples(
        'meadow-server doctor',
        'meadow-server doctor --json',
        'meadow-server doctor --verify --rate 50',
      ),
    )

function readRate(text: string): number {
  const value = megabytes.read(text)
  if (value === undefined) throw new InvalidArgumentError(`It must be ${megabytes.accepts}.`)
  return value
}

interface Options {
  verify?: true
  rate?: number
}

async function runDoctor(context: CommandContext, options: Options): Promise<void> {
  const { env, output, endWith } = context
  const config = readConfig(env)
  using interrupt = watchInterrupt(() => output.warning('Stopped.'))
  const { signal } = interrupt
  try {
    const report = await examineService(context, config, options, signal)
    const faults = report.findings.filter(({ state }) => state === 'fault').length
    output.data({ ...report, faults }, () => report.findings.map(formatFinding).join('\n'))
    output.message(`Faults found: ${formatCount(faults)}.`)
    if (faults > 0) endWith(1)
  } catch (error) {
    if (!signal.aborted) throw error
    endWith(interrupt.exitCode)
  }
}

interface Report {
  findings: Finding[]
  /** With --verify. */
  verified?: Verification
}

/** What cannot be opened is a finding too. */
async function examineService(
  context: CommandContext,
  config: Config,
  { verify, rate }: Options,
  signal: AbortSignal,
): Promise<Report> {
  const storage = await openStorage(context).catch((error: unknown) => toFault('database', error))
  if ('state' in storage) return { findings: [storage] }
  await using closing = storage
  const { database } = closing
  const store = await openServiceBlobs(database, config.blobsLocation, (text) =>
    readBlobsLocation(text, config.s3Access),
  ).catch((error: unknown) => toFault('blobs', error))
  if ('state' in store) return { findings: [store] }
  const folders = config.blobsLocation.kind === 'disk' ? [config.blobsLocation.folder] : []
  const findings = await examine({
    database,
    store,
    baseUrl: config.baseUrl,
    folders: database.dialect === 'sqlite' ? [config.dataDir, ...folders] : folders,
  })
  if (!verify) return { findings }
  const verified = await verifyAll(context, closing, { blobs: store.blobs, rate }, signal)
  return { findings: [...findings, ...judge(verified)], verified }
}

async function verifyAll(
  { env, output, stderr }: CommandContext,
  { database }: Storage,
  { blobs, rate }: { blobs: BlobStore; rate: number | undefined },
  signal: AbortSignal,
): Promise<Verification> {
  using progress = createProgress(stderr, !output.json && canDraw(stderr, env.TERM))
  return verifyBlobs(database, blobs, {
    signal,
    bytesPerSecond: rate === undefined ? undefined : rate * 2 ** 20,
    onBlob: () => progress.advance('files compared with their digests'),
  })
}

const judge = ({ blobs, bytes, faults }: Verification): Finding[] => [
  ...faults.map(
    ({ digest, fault, what, of }): Finding => ({
      what: 'files',
      state: 'fault',
      says: `The file ${digest} is ${fault}: ${what}${of === null ? '' : ` (${of})`}.`,
      remedy: 'Restore it from a backup, or import, solve or export again what it belongs to.',
    }),
  ),
  {
    what: 'files',
    state: 'ok',
    says: `${formatCount(blobs - faults.length)} of ${formatCount(blobs)} files are as they were stored (${formatBytes(bytes)}).`,
  },
]

const toFault = (what: string, error: unknown): Finding => ({
  what,
  state: 'fault',
  says: sentenceOf(error),
  remedy: 'Run this command again when that is done: the rest could not be examined.',
})

const SIGNS = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const

const formatFinding = ({ state, what, says, remedy }: Finding): string =>
  [
    `${SIGNS[state]}  ${what}: ${printable(says)}`,
    ...(remedy === undefined ? [] : [`         ${printable(remedy)}`]),
  ].join('\n')
