import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ALL_SCOPES } from '@meadow/contract'
import { createToken } from '../../access/team-tokens.ts'
import { createTokenSecret, hashToken, looksLikeToken } from '../../access/tokens.ts'
import { OWNER_ONLY } from '../../platform/data-folder.ts'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { findCode } from '../../platform/system-errors.ts'
import { changeTeam } from '../../team/team-transaction.ts'

const DAY_MS = 86_400_000
const LIFETIME_DAYS = 30
/** A token that ends sooner than this is replaced. */
const LEAST_DAYS = 1

/** The file of the token in the data folder, readable by its owner only. */
const FILE = 'demo-token'

export interface DemoToken {
  secret: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface DemoTokenParts {
  database: Database
  dataDir: string
}

/** The token of the demo team: the one that an earlier start has kept, while it is valid, or a new one. */
export async function openDemoToken(
  { database, dataDir }: DemoTokenParts,
  team: TeamKey,
): Promise<DemoToken> {
  const path = join(dataDir, FILE)
  const kept = await readSecret(path)
  const keptUntil = kept === undefined ? undefined : await findExpiry(database, team, kept)
  if (kept !== undefined && keptUntil !== undefined) return { secret: kept, expiresAt: keptUntil }
  const secret = createTokenSecret()
  const expiresAt = timeOf(database.read) + LIFETIME_DAYS * DAY_MS
  await changeTeam(database, team, (change) =>
    createToken(change, { name: 'Demo', secret, scopes: ALL_SCOPES, expiresAt }),
  )
  await writeFile(path, `${secret}\n`, { mode: OWNER_ONLY.file })
  return { secret, expiresAt }
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).trim()
    return looksLikeToken(text) ? text : undefined
  } catch (error) {
    if (findCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Finds when the token of this team ends; undefined when it is unknown or revoked, or ends soon. */
async function findExpiry({ read }: Database, team: TeamKey, secret: string): Promise<number | undefined> {
  const token = await read
    .selectFrom('token')
    .where('hash', '=', hashToken(secret))
    .where('team_id', '=', team)
    .where('revoked_at', 'is', null)
    .select('expires_at')
    .executeTakeFirst()
  const expiresAt = token?.expires_at ?? undefined
  return expiresAt !== undefined && expiresAt > timeOf(read) + LEAST_DAYS * DAY_MS ? expiresAt : undefined
}
