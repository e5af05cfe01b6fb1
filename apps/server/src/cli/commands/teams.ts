import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCount,
  InvalidArgumentError,
  printable,
  readWhole,
  UsageFailure,
} from '@meadow/command'
import { formatBytes, UNITS, type Unit } from '@meadow/contract/terms'
import { TENTHS_PER_CREDIT, toCredits } from '@meadow/contract/web/terms'
import { type Config, readConfig } from '../../config.ts'
import { isHostName } from '../../http/connection/address.ts'
import { listOwnHosts } from '../../http/connection/public-address.ts'
import type { TeamSolver } from '../../platform/database/tables.ts'
import { getQuota, type TeamLimits } from '../../team/quotas.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import {
  addCredits,
  createTeam,
  listTeams,
  setHost,
  setLimits,
  setPublicPolicy,
  setSolver,
  setUnits,
  type TeamRecord,
} from '../../team/teams.ts'
import { readName } from '../arguments.ts'
import { getTeam, openStorage } from '../storage.ts'

/** The maximum credits of a team: more than thirty years of solver time. */
const MAX_CREDITS = 1_000_000_000

/** `meadow-server team create` */
export const teamCreate: Declaration = {
  name: 'create',
  description: 'Create a team and print its id.',
  arguments: { '<name>': { says: 'What the team is called.', read: readName } },
  options: {
    '--host <host>': {
      says: 'A host name of its own: requests under it are for this team only.',
      read: readHost,
    },
    '--credits <number>': {
      says: 'How many credits it has: seconds of the solver’s processor time.',
      read: readWhole(0, MAX_CREDITS),
    },
  },
  examples: [
    'meadow-server team create "Facades"',
    'meadow-server team create "Facades" --host facades.example.org --credits 3600',
  ],
  run: runTeamCreate,
}

interface TeamCreateOptions {
  host?: string
  credits?: number
}

async function runTeamCreate(
  { env, output }: CommandContext,
  name: string,
  options: TeamCreateOptions,
): Promise<void> {
  if (options.host !== undefined) checkNotOwnHost(options.host, readConfig(env))
  await using storage = await openStorage({ env, output }, { isFirst: true })
  const team = await createTeam(storage.database, { name, ...options })
  await output.data(showTeam(team), () => team.id)
  output.message(`Team "${printable(team.name)}" is there. Its id, printed above, is what --team asks for.`)
}

/** `meadow-server team list` */
export const teamList: Declaration = {
  name: 'list',
  description: 'List all teams.',
  examples: ['meadow-server team list', 'meadow-server team list --json'],
  run: runTeamList,
}

async function runTeamList({ env, output }: CommandContext): Promise<void> {
  await using storage = await openStorage({ env, output })
  const teams = (await listTeams(storage.database.read)).map(showTeam)
  await output.data(
    { teams },
    {
      table: {
        columns: ['ID', 'NAME', 'HOST', 'CREDITS', 'SOLVER', 'CREATED'],
        rows: teams.map(({ id, name, host, credits, solver, createdAt, deletedAt }) => [
          id,
          deletedAt === undefined ? name : `${name} (deleted)`,
          host ?? '',
          credits.toFixed(1),
          solver,
          createdAt,
        ]),
      },
    },
  )
  if (teams.length === 0)
    output.message('There is no team yet: make one with "meadow-server team create NAME".')
}

/** `meadow-server team host` */
export const teamHost: Declaration = {
  name: 'host',
  summary: 'Print, set or remove the host name of a team.',
  description:
    'Print the host name of a team, give it one, or take it away. Under a host name of its own there is only that ' +
    'team: tokens of other teams are refused. The name has to lead to this server.',
  arguments: {
    '<id>': 'The id of the team.',
    '[host]': { says: 'The host name to give it, such as acme.example.org.', read: readHost },
  },
  options: { '--none': 'Take the host name away.' },
  examples: [
    'meadow-server team host <ID>',
    'meadow-server team host <ID> acme.example.org',
    'meadow-server team host <ID> --none',
  ],
  run: runTeamHost,
}

async function runTeamHost(
  { env, output }: CommandContext,
  id: string,
  input: string | undefined,
  options: { none?: true },
): Promise<void> {
  if (input !== undefined && options.none) {
    throw new UsageFailure('A host name and "--none" exclude each other: leave one of them out.')
  }
  const config = readConfig(env)
  if (input !== undefined) checkNotOwnHost(input, config)
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, id)
  const isShown = input === undefined && !options.none
  const host = isShown ? team.host : (input ?? null)
  if (!isShown) await changeTeam(storage.database, team.key, (change) => setHost(change, host))
  await output.data({ id: team.id, host }, () => host ?? '')
  output.message(describeHost(`Team "${printable(team.name)}"`, host, isShown))
  if (input !== undefined && config.baseUrl === undefined) output.warning(NOT_CHECKED)
}

function describeHost(team: string, host: string | null, isShown: boolean): string {
  const now = isShown ? '' : ' now'
  if (host === null) return `${team} has no host name of its own${now}.`
  return `${team} has the host name "${host}"${now}: under it, tokens of other teams are refused.`
}

const NOT_CHECKED =
  'MEADOW_BASE_URL is not set here, so it was not checked whether everybody comes to the server under this name. ' +
  'If they do, the tokens of all other teams are refused now: take it away with "--none".'

/** `meadow-server team credits` */
export const teamCredits: Declaration = {
  name: 'credits',
  description:
    'Print how many credits a team has, or give it more. A credit is a second of the solver’s processor time.',
  arguments: { '<id>': 'The id of the team.' },
  options: { '--add <number>': { says: 'So many more.', read: readWhole(1, MAX_CREDITS) } },
  examples: ['meadow-server team credits <ID>', 'meadow-server team credits <ID> --add 3600'],
  run: runTeamCredits,
}

async function runTeamCredits(
  { env, output }: CommandContext,
  id: string,
  options: { add?: number },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, id)
  const { add } = options
  if (add !== undefined && team.creditTenths + add * TENTHS_PER_CREDIT > MAX_CREDITS * TENTHS_PER_CREDIT) {
    throw new CommandFailure(`A team can have ${formatCount(MAX_CREDITS)} credits at most.`)
  }
  const tenths =
    add === undefined
      ? team.creditTenths
      : await changeTeam(storage.database, team.key, (change) => addCredits(change, add))
  const credits = toCredits(tenths)
  await output.data({ id: team.id, credits }, () => credits.toFixed(1))
  if (add !== undefined)
    output.message(`Team "${printable(team.name)}" has ${formatCount(add)} credits more.`)
}

/** `meadow-server team solver` */
export const teamSolver: Declaration = {
  name: 'solver',
  summary: 'Print or choose what solves the documents of a team.',
  description:
    'Print or choose what solves the documents of a team: Meadow alone, or Meadow and, where Meadow cannot, the ' +
    'Rhino.Compute server of MEADOW_COMPUTE_URL. That server then gets the definitions of the team and runs the ' +
    'scripts and plug-ins in them.',
  arguments: { '<id>': 'The id of the team.' },
  options: { '--use <solver>': { says: 'From the next solve on.', choices: ['meadow', 'compute'] } },
  examples: ['meadow-server team solver <ID>', 'meadow-server team solver <ID> --use compute'],
  run: runTeamSolver,
}

async function runTeamSolver(
  { env, output }: CommandContext,
  id: string,
  { use }: { use?: TeamSolver },
): Promise<void> {
  if (use === 'compute' && readConfig(env).solving.compute === undefined) {
    throw new CommandFailure(
      'There is no Rhino.Compute server: set MEADOW_COMPUTE_URL here and for every process that solves.',
    )
  }
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, id)
  if (use !== undefined) await changeTeam(storage.database, team.key, (change) => setSolver(change, use))
  const solver = use ?? team.solver
  await output.data({ id: team.id, solver }, () => solver)
  if (use === undefined) return
  output.message(
    `Team "${printable(team.name)}": ${SOLVERS[use]}. Solutions that are there stay: ` +
      '"meadow-server solve --team ID --all" solves all documents again.',
  )
}

const SOLVERS: Record<TeamSolver, string> = {
  meadow: 'Meadow alone solves its documents now',
  compute: 'Rhino.Compute solves now what Meadow cannot',
}

/** `meadow-server team units` */
export const teamUnits: Declaration = {
  name: 'units',
  summary: 'Print or choose the unit of lengths of a team.',
  description:
    'Print or choose the unit of lengths of a team. Definitions do not declare one: a solution has the unit of the ' +
    'Rhino models that its definition refers to if they agree, otherwise this one, and so has its .3dm file. It ' +
    'applies from the next solve on; lengths are not converted.',
  arguments: {
    '<id>': 'The id of the team.',
    '[unit]': { says: 'From the next solve on; "none" for no unit.', choices: UNITS },
  },
  examples: ['meadow-server team units <ID>', 'meadow-server team units <ID> millimeters'],
  run: runTeamUnits,
}

async function runTeamUnits({ env, output }: CommandContext, id: string, unit?: Unit): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, id)
  if (unit !== undefined) await changeTeam(storage.database, team.key, (change) => setUnits(change, unit))
  const units = unit ?? team.units
  await output.data({ id: team.id, units }, () => units)
  if (unit === undefined) return
  output.message(
    `Team "${printable(team.name)}": solutions have ${unit === 'none' ? 'no unit' : `the unit "${unit}"`} from the ` +
      'next solve on. "meadow-server solve --team ID --all" solves all documents again.',
  )
}

/** `meadow-server team public` */
export const teamPublic: Declaration = {
  name: 'public',
  summary: 'Print or choose whether the documents of a team may be public.',
  description:
    'Print or choose whether the documents of a team may be public, and for how long at most. With --forbid, those that ' +
    'are public become private at once.',
  arguments: { '<id>': 'The id of the team.' },
  options: {
    '--allow': { says: 'Members may make documents public.', conflicts: 'forbid' },
    '--forbid': 'Nobody may, and none is.',
    '--days <number>': { says: 'At most so many days; "none" for no end.', read: readNumber },
  },
  examples: [
    'meadow-server team public <ID>',
    'meadow-server team public <ID> --allow --days 30',
    'meadow-server team public <ID> --forbid',
  ],
  run: runTeamPublic,
}

interface TeamPublicOptions {
  allow?: true
  forbid?: true
  days?: number | 'none'
}

async function runTeamPublic(
  { env, output }: CommandContext,
  id: string,
  { allow, forbid, days }: TeamPublicOptions,
): Promise<void> {
  if (days === 0) throw new UsageFailure('Documents are public for a day at least: use --forbid for none.')
  await using storage = await openStorage({ env, output })
  const { key } = await getTeam(storage.database, id)
  const isChanged = allow || forbid || days !== undefined
  if (isChanged)
    await changeTeam(storage.database, key, (change) =>
      setPublicPolicy(change, {
        ...((allow || forbid) && { allowed: allow === true }),
        ...(days !== undefined && { days: toLimit(days) }),
      }),
    )
  const { publicDocuments, publicDays } = await getTeam(storage.database, id)
  await output.data({ id, allowed: publicDocuments === 1, days: publicDays }, () =>
    publicDocuments === 1
      ? `Documents may be public${publicDays === null ? '' : `, for ${formatCount(publicDays)} days at most`}.`
      : 'No document may be public.',
  )
}

/** `meadow-server team limits` */
export const teamLimits: Declaration = {
  name: 'limits',
  description: 'Print how much a team stores and may store, or set how much it may.',
  arguments: { '<id>': 'The id of the team.' },
  options: {
    '--bytes <size>': {
      says: 'At most so much, such as 500MB or 10GB; "none" lifts the limit.',
      read: readSize,
    },
    '--documents <number>': { says: 'At most so many documents; "none" lifts the limit.', read: readNumber },
  },
  examples: [
    'meadow-server team limits <ID>',
    'meadow-server team limits <ID> --bytes 10GB --documents 5000',
    'meadow-server team limits <ID> --bytes none',
  ],
  remarks: `
Counted are the original files and the contents of all documents, those in the bin included until they are deleted for
ever; solutions and exports are not. A team above its limit keeps what it has, and people go on editing, but nothing
new is taken in.`,
  run: runTeamLimits,
}

interface TeamLimitsOptions {
  bytes?: number | 'none'
  documents?: number | 'none'
}

async function runTeamLimits(context: CommandContext, id: string, options: TeamLimitsOptions): Promise<void> {
  await using storage = await openStorage(context)
  const { database } = storage
  const { key } = await getTeam(database, id)
  if (options.bytes !== undefined || options.documents !== undefined) {
    const limits: Partial<TeamLimits> = {}
    if (options.bytes !== undefined) limits.bytes = toLimit(options.bytes)
    if (options.documents !== undefined) limits.documents = toLimit(options.documents)
    await changeTeam(database, key, (change) => setLimits(change, limits))
  }
  const { limits, use } = await getQuota(database.read, key)
  await context.output.data({ id, limits, use }, () =>
    [
      `Bytes: ${formatBytes(use.bytes)} of ${limits.bytes === null ? 'any number' : formatBytes(limits.bytes)}.`,
      `Documents: ${formatCount(use.documents)} of ${limits.documents === null ? 'any number' : formatCount(limits.documents)}.`,
    ].join('\n'),
  )
}

/** Commander's option values cannot be null. */
const toLimit = (input: number | 'none'): number | null => (input === 'none' ? null : input)

/** A team as `--json` shows it. */
const showTeam = ({ id, name, host, creditTenths, solver, units, createdAt, deletedAt }: TeamRecord) => ({
  id,
  name,
  host,
  credits: toCredits(creditTenths),
  solver,
  units,
  createdAt: new Date(createdAt).toISOString(),
  ...(deletedAt !== null && { deletedAt: new Date(deletedAt).toISOString() }),
})

/** A host name that a team can have: in lower case, without a closing dot. */
function readHost(text: string): string {
  const host = domainToASCII(text).replace(/\.$/, '')
  if (!isHostName(host) || isIP(host) !== 0) {
    throw new InvalidArgumentError('It must be a host name such as acme.example.org, without a port.')
  }
  return host
}

/**
 * Fails when every team reaches the server under this name: all other teams would be locked out, and with only one team
 * the name would change nothing.
 */
function checkNotOwnHost(host: string, config: Config): void {
  if (!listOwnHosts(config).includes(host)) return
  throw new CommandFailure(
    `Every team reaches this server under "${host}" (MEADOW_BASE_URL or MEADOW_HOST): as the host name of one team, ` +
      'it would shut out all others. Give the team another name that leads here.',
  )
}

const SIZE_UNITS = { '': 0, kb: 1, mb: 2, gb: 3, tb: 4 }

/** A size in bytes; a KB has 1024. */
function readSize(text: string): number | 'none' {
  if (text === 'none') return text
  const [, digits, unit] = /^(\d{1,12}(?:\.\d{1,3})?) ?(kb|mb|gb|tb|)$/i.exec(text) ?? []
  const bytes = Math.round(
    Number(digits) * 1024 ** SIZE_UNITS[(unit ?? '').toLowerCase() as keyof typeof SIZE_UNITS],
  )
  if (!Number.isSafeInteger(bytes))
    throw new InvalidArgumentError('It must be a size such as 500MB or 10GB, or "none".')
  return bytes
}

function readNumber(text: string): number | 'none' {
  if (text === 'none') return text
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, or "none".')
  return Number(text)
}
