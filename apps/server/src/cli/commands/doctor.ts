import { type CommandContext, type Declaration, formatCount, printable, readWhole } from '@meadow/command'
import { createProgress } from '@meadow/command/terminal'
import { formatBytes } from '@meadow/contract/terms'
import { listExposures } from '../../config/exposure.ts'
import { type Config, readConfig } from '../../config.ts'
import { examine, type Finding } from '../../features/doctor/doctor.ts'
import { type Verification, verifyBlobs } from '../../features/doctor/verify-blobs.ts'
import { type MailServer, openSmtp } from '../../features/mail/smtp.ts'
import { listIdleRules } from '../../features/sign-in/role-rules.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { openServiceBlobs } from '../../platform/cluster/blob-stores.ts'
import { findReadableByOthers } from '../../platform/data-folder.ts'
import { listTeams } from '../../team/teams.ts'
import { sentenceOf } from '../failure.ts'
import { openStorage, type Storage } from '../storage.ts'

/** `meadow-server doctor` */
export const doctor: Declaration = {
  name: 'doctor',
  description:
    'Examine the database, notifications, the files, clocks, secrets and versions of all processes, the base URL, the ' +
    'mail server and the disk. Each fault is named with a remedy. The exit code is 1 when there are faults. Run it with the same variables ' +
    'as the service.',
  options: {
    '--verify': 'Also read every file that the database refers to, and compare it with its digest.',
    '--rate <megabytes>': {
      says: 'With --verify: read at most so many megabytes each second.',
      read: readWhole(1, 100_000),
    },
  },
  examples: [
    'meadow-server doctor',
    'meadow-server doctor --json',
    'meadow-server doctor --verify --rate 50',
  ],
  run: runDoctor,
}

interface Options {
  verify?: true
  rate?: number
}

async function runDoctor(context: CommandContext, options: Options): Promise<void> {
  const { env, output, endWith } = context
  const config = readConfig(env)
  using interrupt = context.watchInterrupt(() => output.warning('Stopped.'))
  const { signal } = interrupt
  const report = await examineService(context, config, options, signal)
  const faults = report.findings.filter(({ state }) => state === 'fault').length
  await output.data({ ...report, faults }, () => report.findings.map(formatFinding).join('\n'))
  output.message(`Faults found: ${formatCount(faults)}.`)
  if (faults > 0) endWith(1)
}

interface Report {
  findings: Finding[]
  /** The result of `--verify`. */
  verified?: Verification
}

/** Examines the service. What cannot be opened is a finding too. */
async function examineService(
  context: CommandContext,
  config: Config,
  { verify, rate }: Options,
  signal: AbortSignal,
): Promise<Report> {
  const storage = await openStorage(context, { isRecorded: false }).catch((error: unknown) =>
    toFault('database', error),
  )
  if ('state' in storage) return { findings: [storage] }
  await using closing = storage
  const { database } = closing
  const store = await openServiceBlobs(database, config.blobsLocation).catch((error: unknown) =>
    toFault('blobs', error),
  )
  if ('state' in store) return { findings: [store] }
  const folders = config.blobsLocation.kind === 'disk' ? [config.blobsLocation.folder] : []
  const findings = await examine({
    database,
    store,
    baseUrl: config.baseUrl,
    verifyMail: config.mail && (() => verifyMail(config.mail!)),
    folders: database.dialect === 'sqlite' ? [config.dataDir, ...folders] : folders,
  })
  findings.push(
    ...listExposures(config).map((exposure): Finding => ({ ...exposure, state: 'warning' })),
    ...judgeFolders([config.dataDir, ...folders]),
    ...judgeRules(config.oidc, await listTeams(closing.database.read)),
  )
  if (!verify) return { findings }
  const verified = await verifyAll(context, closing, { blobs: store.blobs, rate }, signal)
  return { findings: [...findings, ...judge(verified)], verified }
}

async function verifyMail(server: MailServer): Promise<void> {
  const smtp = await openSmtp(server)
  try {
    await smtp.verify()
  } finally {
    smtp.close()
  }
}

async function verifyAll(
  { env, output, stderr }: CommandContext,
  { database }: Storage,
  { blobs, rate }: { blobs: BlobStore; rate: number | undefined },
  signal: AbortSignal,
): Promise<Verification> {
  using progress = createProgress({ env, output, stderr })
  return verifyBlobs(database, blobs, {
    signal,
    bytesPerSecond: rate === undefined ? undefined : rate * 2 ** 20,
    onBlob: () => progress.advance('files compared with their digests'),
  })
}

/** Others must not read what holds passwords, sessions and documents. */
function judgeFolders(folders: readonly string[]): Finding[] {
  const open = findReadableByOthers(folders)
  if (open.length === 0)
    return [{ what: 'permissions', state: 'ok', says: 'No other user of this machine can read the data.' }]
  return open.map((path) => ({
    what: 'permissions',
    state: 'warning',
    says: `Other users of this machine can read "${path}".`,
    remedy: `Run "chmod go= ${path}" as its owner.`,
  }))
}

/** Finds roles that nobody can get. */
function judgeRules(oidc: Config['oidc'], teams: Parameters<typeof listIdleRules>[1]): Finding[] {
  if (!oidc || oidc.roles.length === 0) return []
  const what = 'roles from the provider'
  const idle = listIdleRules(oidc.roles, teams)
  if (idle.length === 0)
    return [{ what, state: 'ok', says: 'Every rule of MEADOW_OIDC_ROLES names a team that there is.' }]
  return idle.map((rule) => ({ what, state: 'warning', ...rule }))
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
