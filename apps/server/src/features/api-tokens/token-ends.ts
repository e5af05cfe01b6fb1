import { endsSoon, TOKEN_NOTICE_DAYS, type UserId } from '@meadow/contract'
import { findConfirmedOwners } from '../../access/account-notices.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import type { TeamKey, TokenKey } from '../../platform/database/tables.ts'
import { queueNotice } from '../../platform/mail/outbox.ts'
import { composeEnds, type EndingToken } from './compose-ends.ts'

const DAY_MS = 86_400_000

/** How many tokens a statement names: databases limit its parameters. */
const CHUNK = 500

/** A token whose end is to be announced to these people. */
interface Announced extends EndingToken {
  key: TokenKey
  people: readonly UserId[]
}

/**
 * Queues a mail to everyone who has to replace an API token that ends soon, and marks the token in the same transaction.
 * Each person gets one mail about all their tokens. Concurrent calls do no harm. A token stays unmarked while nobody
 * has a confirmed address to send its mail to, and is announced if there is one in time.
 */
export async function announceEnds(database: Database, now: number): Promise<void> {
  const tokens = await findEnding(database, now)
  for (const group of groupByPeople(tokens))
    await database.transaction(async (write) => {
      const marked = await mark(write, group, now)
      const told = group
        .filter(({ key }) => marked.has(key))
        .flatMap((token) => token.people.map((person) => ({ person, token })))
      for (const [person, theirs] of Map.groupBy(told, ({ person }) => person))
        await queueNotice(write, person, composeEnds(theirs.map(({ token }) => token)))
    })
}

/** Finds the tokens of all teams that end soon, were not announced, and have somebody to send a mail to. */
async function findEnding({ read }: Pick<Database, 'read'>, now: number): Promise<Announced[]> {
  const rows = await read
    .selectFrom('token')
    .innerJoin('team', 'team.id', 'token.team_id')
    .leftJoin('user', 'user.id', 'token.created_by')
    .where('team.deleted_at', 'is', null)
    .where('token.revoked_at', 'is', null)
    .where('token.replaced_by', 'is', null)
    .where('token.notice_sent_at', 'is', null)
    .where('token.expires_at', '>', now)
    .where('token.expires_at', '<=', now + TOKEN_NOTICE_DAYS * DAY_MS)
    .select([
      'token.id as key',
      'token.name',
      'token.kind',
      'token.created_at as createdAt',
      'token.expires_at as expiresAt',
      'token.last_used_at as lastUsedAt',
      'token.last_used_from as lastUsedFrom',
      'team.id as team',
      'team.public_id as teamId',
      'team.name as teamName',
      'user.id as maker',
      'user.emailVerified',
    ])
    .execute()
  const ownersOf = new Map<TeamKey, Promise<UserId[]>>()
  const findOwners = (team: TeamKey) => {
    const owners = ownersOf.get(team) ?? findConfirmedOwners(read, team)
    ownersOf.set(team, owners)
    return owners
  }
  const found: Announced[] = []
  for (const { expiresAt, maker, emailVerified, ...row } of rows) {
    if (expiresAt === null || !endsSoon({ createdAt: row.createdAt, expiresAt }, now)) continue
    const isMakers = row.kind === 'personal' && maker !== null
    const people = isMakers ? (emailVerified ? [maker] : []) : await findOwners(row.team)
    if (people.length > 0) found.push({ ...row, expiresAt, people })
  }
  return found
}

/** Tokens that have a person in common, directly or through others, are in one group: a mail is never in two. */
function groupByPeople(tokens: readonly Announced[]): Iterable<Announced[]> {
  const groupOf = new Map<UserId, Announced[]>()
  for (const token of tokens) {
    const known = token.people.map((person) => groupOf.get(person)).filter((group) => group !== undefined)
    const [group = [], ...others] = new Set(known)
    for (const member of [...others.flat(), token]) {
      group.push(member)
      for (const person of member.people) groupOf.set(person, group)
    }
  }
  return new Set(groupOf.values())
}

/** Returns those that nobody else has announced, ended or replaced meanwhile. */
async function mark(write: Write, tokens: readonly Announced[], now: number): Promise<Set<TokenKey>> {
  const marked = new Set<TokenKey>()
  for (let start = 0; start < tokens.length; start += CHUNK) {
    const keys = tokens.slice(start, start + CHUNK).map(({ key }) => key)
    const rows = await write
      .updateTable('token')
      .set({ notice_sent_at: now })
      .where('id', 'in', keys)
      .where('revoked_at', 'is', null)
      .where('replaced_by', 'is', null)
      .where('notice_sent_at', 'is', null)
      .where('team_id', 'in', ({ selectFrom }) =>
        selectFrom('team').where('team.deleted_at', 'is', null).select('team.id'),
      )
      .returning('id')
      .execute()
    for (const { id } of rows) marked.add(id)
  }
  return marked
}
