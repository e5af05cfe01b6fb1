import { ALL_SCOPES } from '@meadow/contract'
import { setMember } from '../../../server/src/access/members.ts'
import { hashPassword } from '../../../server/src/access/password-hashes.ts'
import { createAccount } from '../../../server/src/access/passwords.ts'
import { createToken } from '../../../server/src/access/team-tokens.ts'
import { createTokenSecret } from '../../../server/src/access/tokens.ts'
import { openDatabase } from '../../../server/src/platform/database/open-database.ts'
import { changeTeam } from '../../../server/src/team/team-transaction.ts'
import { createTeam } from '../../../server/src/team/teams.ts'
import { atEnd } from '../../../server/src/testing/at-end.ts'
import { LOCAL_CERTIFICATE } from '../../../server/src/testing/client-document.ts'
import { processScope } from '../../../server/src/testing/process-scope.ts'
import { type Demo, startDemo } from './start-demo.ts'

/** They pay for more solves than tests ask for. */
const CREDITS = 36_000

/** Receivers of webhooks and documents of programs are on this machine in tests. */
const ENV = {
  MEADOW_WEBHOOKS_ALLOW: '127.0.0.1',
  MEADOW_OAUTH_ALLOW: '127.0.0.1',
  NODE_EXTRA_CA_CERTS: LOCAL_CERTIFICATE,
}

const password = 'correct horse battery'

let shared: ReturnType<typeof start> | undefined
let teams = 0

async function start() {
  const [demo, passwordHash] = await Promise.all([
    startDemo({ env: ENV, solved: [] }),
    hashPassword(password),
  ])
  const database = await openDatabase({ dataDir: demo.dataDir })
  atEnd(processScope, async () => {
    await database.close()
    await demo.stop()
  })
  return { demo, database, passwordHash }
}

/**
 * An empty team with an owner and a token, on the one server of this process: to start a server and its solvers takes as
 * much processor time as the tests of most files. It is for tests that leave alone the operator's settings, other teams
 * and what belongs to the whole server.
 */
export async function shareDemo(): Promise<Demo> {
  shared ??= start()
  const { demo, database, passwordHash } = await shared
  const email = `owner-${++teams}@demo.example`
  const owner = { name: 'Demo owner', email, isEmailVerified: true, passwordHash }
  const { id } = await database.transaction((write) => createAccount(write, owner))
  const team = await createTeam(database, { name: 'Atelier Meadow', credits: CREDITS, publicDocuments: true })
  const secret = createTokenSecret()
  await changeTeam(database, team.key, async (change) => {
    await setMember(change, id, 'owner')
    await createToken(change, { name: 'Demo', secret, scopes: ALL_SCOPES })
  })
  return { ...demo, email, password, token: secret, stop: async () => {} }
}
