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
import { DELIVERY_STATES, type DeliveryState } from '@meadow/contract/terms'
import type { Webhook } from '@meadow/contract/web'
import { changeWebhook, replayFailed, WebhookError } from '../../features/webhooks/webhook-changes.ts'
import { createWebhookStore } from '../../features/webhooks/webhooks.store.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { listTeams, type TeamRecord } from '../../team/teams.ts'
import { getFolderAt, getTeam, openStorage } from '../storage.ts'

/** `meadow-server webhooks list` */
export const webhooksList: Declaration = {
  name: 'list',
  description:
    'List the webhooks of a team, or of all teams: where they lead, which folder they are limited to, and whether they work.',
  options: { '--team <id>': 'Of this team only.' },
  examples: ['meadow-server webhooks list', 'meadow-server webhooks list --team <ID> --json'],
  run: runList,
}

async function runList({ env, output }: CommandContext, options: { team?: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { database } = storage
  const teams =
    options.team === undefined ? await listTeams(database.read) : [await getTeam(database, options.team)]
  const store = createWebhookStore(database)
  const webhooks: (Webhook & { team: string })[] = []
  for (const { id, key } of teams)
    webhooks.push(...(await store.list(key)).map((webhook) => ({ team: id, ...webhook })))
  await output.data(
    { webhooks },
    {
      table: {
        columns: ['TEAM', 'ID', 'NAME', 'ADDRESS', 'FOLDER', 'STATE', 'WAITING', 'LAST DELIVERED', 'REASON'],
        rows: webhooks.map(
          ({ team, id, name, url, folder, state, waiting, lastDeliveredAt, failingSince, reason }) => [
            team,
            id,
            printable(name),
            // The rest may hold a secret.
            new URL(url).origin,
            describeFolder(folder),
            state === 'enabled' && failingSince !== null ? 'failing' : state,
            String(waiting),
            lastDeliveredAt ?? 'never',
            reason ?? '',
          ],
        ),
      },
    },
  )
}

function describeFolder(folder: Webhook['folder']): string {
  if (!folder) return 'all'
  if (folder.state === 'deleted') return '(deleted: told of nothing)'
  return `${printable(folder.name ?? '')}${folder.state === 'in_bin' ? ' (in the bin: told of nothing)' : ''}`
}

const DEFAULT_COUNT = 50
const NEWEST = 2 ** 31 - 1

/** `meadow-server webhooks log` */
export const webhooksLog: Declaration = {
  name: 'log',
  description: 'List the deliveries to a webhook, the newest first, with the last attempt of each.',
  arguments: { '<webhook>': 'The id of the webhook.' },
  options: {
    '--team <id>': { says: 'Its team.', isRequired: true },
    '--state <state>': { says: 'Only those in this state.', choices: DELIVERY_STATES },
    '--limit <number>': {
      says: 'At most so many.',
      read: readWhole(1, 1000),
      default: DEFAULT_COUNT,
    },
  },
  examples: ['meadow-server webhooks log <WEBHOOK> --team <ID> --state failed'],
  run: runLog,
}

async function runLog(
  { env, output }: CommandContext,
  webhook: string,
  { team: teamId, state, limit }: { team: string; state?: DeliveryState; limit: number },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, teamId)
  const page = { before: NEWEST, limit }
  const found = await createWebhookStore(storage.database).listDeliveries(team.key, webhook, { state }, page)
  if (!found) throw notFound(webhook)
  const { deliveries } = found
  await output.data(
    { deliveries },
    {
      table: {
        columns: ['CREATED', 'ID', 'TYPE', 'ABOUT', 'STATE', 'ATTEMPTS', 'LAST STATUS', 'REASON'],
        rows: deliveries.map(({ createdAt, id, type, about, state, attempts }) => [
          createdAt,
          id,
          type,
          printable(about ?? ''),
          state,
          String(attempts.length),
          String(attempts[0]?.status ?? ''),
          attempts[0]?.error ?? '',
        ]),
      },
    },
  )
}

/** `meadow-server webhooks replay` */
export const webhooksReplay: Declaration = {
  name: 'replay',
  description: 'Deliver again what was given up since a time, under the same ids. A running server sends it.',
  arguments: { '<webhook>': 'The id of the webhook.' },
  options: {
    '--team <id>': { says: 'Its team.', isRequired: true },
    '--since <time>': {
      says: 'From when on, such as 2026-11-20 or 2026-11-20T09:30:00Z.',
      read: readTime,
      isRequired: true,
    },
  },
  examples: ['meadow-server webhooks replay <WEBHOOK> --team <ID> --since 2026-11-20'],
  run: runReplay,
}

function readTime(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a time such as 2026-11-20T09:30:00Z.')
  return at
}

async function runReplay(
  context: CommandContext,
  webhook: string,
  { team, since }: { team: string; since: number },
): Promise<void> {
  const replayed = await changeWebhooks(context, { team, webhook }, ({ database, team }) =>
    changeTeam(database, team.key, (change) => replayFailed(change, webhook, since)),
  )
  await context.output.data({ replayed }, () => String(replayed))
  context.output.message(`Deliveries that are tried again: ${formatCount(replayed)}.`)
}

/** `meadow-server webhooks limit` */
export const webhooksLimit: Declaration = {
  name: 'limit',
  description: 'Limit a webhook to the documents in a folder and below, or let it be told of the whole team.',
  arguments: {
    '<webhook>': 'The id of the webhook.',
    '[folder]': 'The id of the folder, or its path from the root, such as Projects/Tower.',
  },
  options: { '--team <id>': { says: 'Its team.', isRequired: true }, '--none': 'Take the limit away.' },
  examples: [
    'meadow-server webhooks limit <WEBHOOK> Projects/Tower --team <ID>',
    'meadow-server webhooks limit <WEBHOOK> --none --team <ID>',
  ],
  run: runLimit,
}

async function runLimit(
  context: CommandContext,
  webhook: string,
  folder: string | undefined,
  options: { team: string; none?: true },
): Promise<void> {
  if ((folder === undefined) === (options.none === undefined))
    throw new UsageFailure('Give either a folder or "--none".')
  const limit = await changeWebhooks(context, { team: options.team, webhook }, async ({ database, team }) => {
    const found = folder === undefined ? null : await getFolderAt(database, team, folder)
    await changeTeam(database, team.key, (change) =>
      changeWebhook(change, webhook, { folder: found?.id ?? null }),
    )
    return found
  })
  await context.output.data({ webhook, folder: limit?.id ?? null }, () => limit?.id ?? 'all')
  context.output.message(
    limit
      ? `The webhook is told of the documents in "${printable(limit.name)}" and below, and of nothing else.`
      : 'The webhook is told of the documents of the whole team.',
  )
}

/** `meadow-server webhooks disable` */
export const webhooksDisable: Declaration = {
  name: 'disable',
  description:
    'Disable a webhook: it is told of nothing until an owner enables it. What waits is kept for days.',
  arguments: { '<webhook>': 'The id of the webhook.' },
  options: { '--team <id>': { says: 'Its team.', isRequired: true } },
  examples: ['meadow-server webhooks disable <WEBHOOK> --team <ID>'],
  run: runDisable,
}

async function runDisable(
  context: CommandContext,
  webhook: string,
  { team }: { team: string },
): Promise<void> {
  await changeWebhooks(context, { team, webhook }, ({ database, team }) =>
    changeTeam(database, team.key, (change) => changeWebhook(change, webhook, { enabled: false })),
  )
  await context.output.data({ disabled: webhook }, () => 'disabled')
}

async function changeWebhooks<T>(
  { env, output }: CommandContext,
  { team: id, webhook }: { team: string; webhook: string },
  work: (given: { database: Database; team: TeamRecord }) => Promise<T>,
): Promise<T> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, id)
  try {
    return await work({ database: storage.database, team })
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    if (error.code === 'webhook_not_found') throw notFound(webhook)
    throw new CommandFailure('The webhook is not enabled: an owner of the team has to enable it first.', {
      cause: error,
    })
  }
}

const notFound = (webhook: string) => new CommandFailure(`The team has no webhook "${printable(webhook)}".`)
