import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_SCOPES, type TokenId } from '@meadow/contract'
import { openDatabase } from '../platform/database/open-database.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { atEnd } from '../testing/at-end.ts'
import { DATABASES } from '../testing/databases.ts'
import { givenTeam } from '../testing/given-team.ts'
import { createToken } from './team-tokens.ts'
import { createTokenUse } from './token-use.ts'
import { createTokenSecret } from './tokens.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!
const TOKENS = 100
const ROUNDS = 5

test(
  '[TOK-37] given processes that were used with the same tokens in another order, when both record that at once, then neither fails',
  postgres.options,
  async (t) => {
    const location = await postgres.createLocation(t)
    const databases = [await openDatabase(location), await openDatabase(location)]
    for (const database of databases) atEnd(t, () => database.close())
    const { team } = await givenTeam(databases[0]!)
    const tokens: TokenId[] = await changeTeam(databases[0]!, team, async (change) => {
      const ids: TokenId[] = []
      for (let count = 0; count < TOKENS; count++) {
        const token = { name: `${count}`, secret: createTokenSecret(), scopes: ALL_SCOPES }
        ids.push((await createToken(change, token)).id)
      }
      return ids
    })
    const errors: unknown[] = []
    const log = { error: (facts: unknown) => void errors.push(facts) }
    let now = 0
    const [one, other] = databases.map((database) => createTokenUse(database, log as never, () => ++now))
    atEnd(t, async () => {
      await one!.close()
      await other!.close()
    })
    for (let round = 0; round < ROUNDS; round++) {
      for (const token of tokens) one!.note(token, '10.0.0.1')
      for (const token of tokens.toReversed()) other!.note(token, '10.0.0.2')
      await Promise.all([one!.flush(), other!.flush()])
    }
    assert.deepEqual(errors, [])
  },
)
