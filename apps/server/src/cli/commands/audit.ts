import {
  type CommandContext,
  type Declaration,
  formatCount,
  InvalidArgumentError,
  printable,
  readWhole,
} from '@meadow/command'
import { formatTable } from '@meadow/command/terminal'
import { AUDIT_ACTIONS, type AuditAction } from '@meadow/contract/terms'
import type { AuditEntry } from '@meadow/contract/web'
import { type AuditFilter, type ChainReport, createAuditLog } from '../../audit/audit-log.store.ts'
import { getTeam, openStorage, type Storage } from '../storage.ts'

const DEFAULT_LIMIT = 50
const PORTION = 1000

interface FilterOptions {
  team?: string
  service?: true
  person?: string
  action?: AuditAction
  since?: number
  until?: number
}

/** The options that choose events. */
const FILTER_OPTIONS = {
  '--team <id>': 'Events of this team only.',
  '--service': { says: 'Events without a team only, such as sign-ins.', conflicts: 'team' },
  '--person <id>': 'What a user (an id or an e-mail address) or a token did, or was done to them.',
  '--action <action>': {
    says: 'One action only, such as token.created.',
    choices: Object.keys(AUDIT_ACTIONS),
  },
  '--since <time>': { says: 'From this time on: 2026-11-23, or 2026-11-23T18:00Z.', read: readMoment },
  '--until <time>': { says: 'Until before this time.', read: readMoment },
}

function readMoment(text: string): number {
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It must be a time such as 2026-11-23 or 2026-11-23T18:00Z.')
  return at
}

/** The chain that the options name; undefined for all. */
async function findChain(
  { database }: Storage,
  { team, service }: FilterOptions,
): Promise<string | undefined> {
  if (service) return 'service'
  return team === undefined ? undefined : (await getTeam(database, team)).id
}

const toFilter = ({ person, action, since, until }: FilterOptions): AuditFilter => ({
  ...{ person: person?.includes('@') ? person.toLowerCase() : person, action, since, until },
})

/** `meadow-server audit list` */
export const auditList: Declaration = {
  name: 'list',
  description: 'Show who did what, the newest last.',
  options: {
    ...FILTER_OPTIONS,
    '--limit <count>': {
      says: 'At most so many.',
      read: readWhole(1, 100_000),
      default: DEFAULT_LIMIT,
    },
  },
  examples: [
    'meadow-server audit list',
    'meadow-server audit list --action sign_in.failed --since 2026-11-01',
    'meadow-server audit list --person ann@example.org --limit 200 --json',
  ],
  run: runList,
}

async function runList(context: CommandContext, options: FilterOptions & { limit: number }): Promise<void> {
  await using storage = await openStorage(context)
  const chain = await findChain(storage, options)
  const log = createAuditLog(storage.database)
  const events = (await log.listNewest({ ...toFilter(options), chain }, options.limit)).reverse()
  await context.output.data({ events }, () =>
    events.length === 0
      ? 'There are no such events.'
      : formatTable({ columns: ['WHEN', 'WHO', 'FROM', 'WHAT', 'WHICH'], rows: events.map(toCells) }),
  )
}

const toCells = ({ at, actor, address, action, thing, details }: AuditEntry): string[] => [
  at,
  printable(actor.name ?? actor.id ?? actor.kind),
  address ?? '',
  typeof details?.command === 'string' ? `${action} (${printable(details.command)})` : action,
  thing === null ? '' : printable(`${thing.kind} ${thing.name ?? thing.id ?? ''}`.trim()),
]

/** `meadow-server audit reads` */
export const auditReads: Declaration = {
  name: 'reads',
  description:
    'Show how often each API token of a team read, by day and endpoint; the last minute is missing.',
  options: { '--team <id>': { says: 'The team.', isRequired: true } },
  examples: ['meadow-server audit reads --team <ID>'],
  run: runReads,
}

async function runReads(context: CommandContext, options: { team: string }): Promise<void> {
  await using storage = await openStorage(context)
  const team = await getTeam(storage.database, options.team)
  const reads = await createAuditLog(storage.database).listReads(team.key)
  await context.output.data(
    { reads },
    {
      table: {
        columns: ['DAY', 'TOKEN', 'ENDPOINT', 'READS'],
        rows: reads.map(({ day, token, endpoint, reads }) => [
          ...[day, printable(token.name), endpoint, formatCount(reads)],
        ]),
      },
    },
  )
}

/** `meadow-server audit verify` */
export const auditVerify: Declaration = {
  name: 'verify',
  description:
    'Compute the hashes of all events anew. The first event of a chain that was changed, removed or put in between is ' +
    'named, and the exit code is 1.',
  options: { '--team <id>': 'The chain of this team only.' },
  examples: ['meadow-server audit verify', 'meadow-server audit verify --json'],
  run: runVerify,
}

async function runVerify(context: CommandContext, options: { team?: string }): Promise<void> {
  const { output, endWith } = context
  await using storage = await openStorage(context)
  const log = createAuditLog(storage.database)
  const chain = await findChain(storage, options)
  const chains = chain === undefined ? (await log.listChains()).map(({ id }) => id) : [chain]
  const reports: ChainReport[] = []
  for (const id of chains) reports.push(await log.verify(id))
  const broken = reports.filter((report) => report.broken !== undefined).length
  await output.data({ chains: reports, broken }, () => reports.map(describeReport).join('\n'))
  if (broken > 0) endWith(1)
}

function describeReport({ chain, events, broken, purgedAt }: ChainReport): string {
  if (broken) return `${chain}: broken at event ${broken.seq}: ${broken.reason}.`
  if (purgedAt !== null) return `${chain}: removed with its team at ${new Date(purgedAt).toISOString()}.`
  return `${chain}: ${formatCount(events)} events are as they were recorded.`
}

/** `meadow-server audit export` */
export const auditExport: Declaration = {
  name: 'export',
  description:
    'Print the events as JSON Lines, each chain in its order, with their hashes: for another machine, where nobody who ' +
    'can change this database can change them.',
  options: { ...FILTER_OPTIONS, '--follow': 'Go on with new events until Ctrl-C.' },
  examples: [
    'meadow-server audit export > audit.jsonl',
    'meadow-server audit export --follow --since 2026-11-23 | logger -t meadow-audit',
  ],
  run: runExport,
}

async function runExport(context: CommandContext, options: FilterOptions & { follow?: true }): Promise<void> {
  const { stdout, output, endWith } = context
  await using storage = await openStorage(context)
  using interrupt = context.watchInterrupt(() => output.message('Stopped.'))
  const { signal } = interrupt
  const log = createAuditLog(storage.database)
  const only = await findChain(storage, options)
  const filter = toFilter(options)
  const written = new Map<string, number>()
  /** Writes what every chain has beyond what was written. */
  async function writeNew(): Promise<void> {
    for (const { id, seq } of await log.listChains()) {
      if (only !== undefined && id !== only) continue
      let after = written.get(id) ?? 0
      while (after < seq && !signal.aborted) {
        const entries = (await log.readChain(id, after, filter, PORTION)).filter((entry) => entry.seq <= seq)
        for (const entry of entries) if (stdout.writable) stdout.write(`${JSON.stringify(entry)}\n`)
        after = entries.length < PORTION ? seq : entries.at(-1)!.seq
      }
      written.set(id, after)
    }
  }
  await writeNew()
  if (!options.follow) return
  let wake = () => {}
  const subscription = storage.database.subscribe(() => wake())
  try {
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, POLL_MS).unref()
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      await writeNew()
    }
  } finally {
    await subscription.close()
  }
  endWith(interrupt.exitCode)
}

/** The log is looked at this often, because PostgreSQL does not announce every event. */
const POLL_MS = 1000
