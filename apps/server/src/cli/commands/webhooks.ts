import { DELIVERY_STATES, type DeliveryState } from '@meadow/contract/terms'
import type { Webhook } from '@meadow/contract/web'
import { Command, InvalidArgumentError, Option } from 'commander'
import { wholeNumber } from '../../config/kinds.ts'
import { changeWebhook, replayFailed, WebhookError } from '../../features/webhooks/webhook-changes.ts'
import { createWebhookStore } from '../../features/webhooks/webhooks.store.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { listTeams, type TeamRecord } from '../../team/teams.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'
import { examples } from '../help.ts'
import { formatCount, formatTable, printable } from '../output/format.ts'
import { getFolderAt, getTeam, openStorage } from '../storage.ts'

/** `meadow-server webhooks list` */
export const webhooksList = (start: StartCommand): Command =>
  new Command('list')
    .description(
      'List the webhooks of a team, or of all teams: where they lead, which folder they are limited to, and whether they work.',
    )
    .option('--team <id>', 'Of this team only.')
    .action(start(runList))
    .addHelpText(
      'after',
      examples('meadow-server webhooks list', 'meadow-server webhooks list --team <ID> --json'),
    )

async function runList({ env, output }: CommandContext, options: { team?: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { database } = storage
  const teams =
    options.team === undefined ? await listTeams(database.read) : [await getTeam(database, options.team)]
  const store = createWebhookStore(database)
  const webhooks: (Webhook & { team: string })[] = []
  for (const { id, key } of teams)
    webhooks.push(...(await store.list(key)).map((webhook) => ({ team: id, ...webhook })))
  output.data({ webhooks }, () =>
    formatTable(
      ['TEAM', 'ID', 'NAME', 'ADDRESS', 'FOLDER', 'STATE', 'WAITING', 'LAST DELIVERED', 'REASON'],
      webhooks.map(
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
    ),
  )
}

function describeFolder(folder: Webhook['folder']): string {
  if (!folder) return 'all'
  if (folder.state === 'deleted') return '(deleted: told of nothing)'
  return `${printable(folder.name ?? '')}${folder.state === 'in_bin' ? ' (in the bin: told of nothing)' : ''}`
}

const count = wholeNumber(1, 1000)
const DEFAULT_COUNT = 50
const NEWEST = 2 ** 31 - 1

function readCount(text: string): number {
  const value = count.read(text)
  if (value === undefined) throw new InvalidArgumentError(`It must be ${count.accepts}.`)
  return value
}

/** `meadow-server webhooks log` */
export const webhooksLog = (start: StartCommand): Command =>
  new Command('log')
    .description('List the deliveries to a webhook, the newest first, with the last attempt of each.')
    .argument('<webhook>', 'The id of the webhook.')
    .requiredOption('--team <id>', 'Its team.')
    .addOption(new Option('--state <state>', 'Only those in this state.').choices(DELIVERY_STATES))
    .option('--limit <number>', 'At most so many.', readCount, DEFAULT_COUNT)
    .action(start(runLog))
    .addHelpText('after', examples('meadow-server webhooks log <WEBHOOK> --team <ID> --state failed'))

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
  output.data({ deliveries }, () =>
    formatTable(
      ['CREATED', 'ID', 'TYPE', 'ABOUT', 'STATE', 'ATTEMPTS', 'LAST STATUS', 'REASON'],
      deliveries.map(({ createdAt, id, type, about, state, attempts }) => [
        createdAt,
        id,
        type,
        printable(about ?? ''),
        state,
        String(attempts.length),
        String(attempts[0]?.status ?? ''),
        attempts[0]?.error ?? '',
      ]),
    ),
  )
}

/** `meadow-server webhooks replay` */
export const webhooksReplay = (start: StartCommand): Command =>
  new Command('replay')
    .description(
      'Deliver again what was given up since a time, under the same ids. A running server sends it.',
    )
    .argument('<webhook>', 'The id of the webhook.')
    .requiredOption('--team <id>', 'Its team.')
    .requiredOption('--since <time>', 'From when on, such as 2026-11-20 or 2026-11-20T09:30:00Z.', readTime)
    .action(start(runReplay))
    .addHelpText('after', examples('meadow-server webhooks replay <WEBHOOK> --team <ID> --since 2026-11-20'))

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
  context.output.data({ replayed }, () => String(replayed))
  context.output.message(`Deliveries that are tried again: ${formatCount(replayed)}.`)
}

/** `meadow-server webhooks limit` */
export const webhooksLimit = (start: StartCommand): Command =>
  new Command('limit')
    .description(
      'Limit a webhook to the documents in a folder and below, or let it be told of the whole team.',
    )
    .argument('<webhook>', 'The id of the webhook.')
    .argument('[folder]', 'The id of the folder, or its path from the root, such as Projects/Tower.')
    .requiredOption('--team <id>', 'Its team.')
    .option('--none', 'Take the limit away.')
    .action(start(runLimit))
    .addHelpText(
      'after',
      examples(
        'meadow-server webhooks limit <WEBHOOK> Projects/Tower --team <ID>',
        'meadow-server webhooks limit <WEBHOOK> --none --team <ID>',
      ),
    )

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
  context.output.data({ webhook, folder: limit?.id ?? null }, () => limit?.id ?? 'all')
  context.output.message(
    limit
      ? `The webhook is told of the documents in "${printable(limit.name)}" and below, and of nothing else.`
      : 'The webhook is told of the documents of the whole team.',
  )
}

/** `meadow-server webhooks disable` */
export const webhooksDisable = (start: StartCommand): Command =>
  new Command('disable')
    .description(
      'Disable a webhook: it is told of nothing until an owner enables it. What waits is kept for days.',
    )
    .argument('<webhook>', 'The id of the webhook.')
    .requiredOption('--team <id>', 'Its team.')
    .action(start(runDisable))
    .addHelpText('after', examples('meadow-server webhooks disable <WEBHOOK> --team <ID>'))

async function runDisable(
  context: CommandContext,
  webhook: string,
  { team }: { team: string },
): Promise<void> {
  await changeWebhooks(context, { team, webhook }, ({ database, team }) =>
    changeTeam(database, team.key, (change) => changeWebhook(change, webhook, { enabled: false })),
  )
  context.output.data({ disabled: webhook }, () => 'disabled')
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
