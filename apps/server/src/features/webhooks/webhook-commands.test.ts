import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { DeliveryId } from '@meadow/contract'
import { createUserStore } from '../../access/users.store.ts'
import { renameDocument } from '../../library/documents.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { listTeams } from '../../team/teams.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { createWebhook } from './webhook-changes.ts'

/** The operator's command over a team with a webhook, to which one delivery waits and one was given up. */
async function open(t: TestContext) {
  const commandLine = await createCommandLine(t)
  const database = await openDatabase({ dataDir: commandLine.dataDir })
  const { team: key, document, folder } = await givenTeam(database)
  await folder('Towers', (await folder('Projects')).key)
  const [team] = await listTeams(database.read)
  const { id: createdBy } = await createUserStore(database).createUser({
    name: 'Ann',
    email: 'ann@example.org',
  })
  const webhook = await changeTeam(database, key, (change) =>
    createWebhook(change, {
      ...{ name: 'CI', url: 'https://hooks.example.org/in?key=hidden', events: ['document.changed'] },
      ...{ createdBy, secret: 'sealed', folder: null },
    }),
  )
  for (const name of ['Tower', 'Bridge']) {
    const { key: created } = await document({ name })
    await changeTeam(database, key, (change) => renameDocument(change, created, `${name} 2`))
  }
  await database.transaction((write) =>
    write
      .updateTable('webhook_delivery')
      .set({ state: 'failed', ended_at: 1 })
      .where('about', '=', 'Tower 2')
      .execute(),
  )
  await database.close()
  return { ...commandLine, team: team!.id, webhook }
}

/** Deletes the folder that the webhook is limited to, lets it fail, and lets a thousand further deliveries wait. */
async function makeHopeless(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir })
  await database.transaction(async (write) => {
    await write.deleteFrom('folder').where('name', '=', 'Towers').execute()
    await write.updateTable('webhook').set({ failing_since: 1, failures: 3 }).execute()
    const { id: _, ...waiting } = await write
      .selectFrom('webhook_delivery')
      .where('state', '=', 'waiting')
      .selectAll()
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 1000 }, (_, at) => ({
      ...waiting,
      ...{ public_id: `msg_copy${at}` as DeliveryId, merge_key: null, about: 'Copy' },
    }))
    for (const some of inBatches(copies)) await write.insertInto('webhook_delivery').values(some).execute()
  })
  await database.close()
}

describe('webhooks', { skip: noLauncher }, () => {
  test('[HOOK-12] given a webhook, when the operator looks at it, delivers again and disables it, then each is there as text and as JSON, without the secret part of its address', async (t) => {
    const { run, json, team, webhook, dataDir } = await open(t)
    const [listed] = (await json('webhooks', 'list')).webhooks
    assert.deepEqual([listed.team, listed.id, listed.state, listed.waiting], [team, webhook, 'enabled', 1])
    const text = await run('webhooks', 'list', '--team', team)
    assert.match(text.stdout, /CI +https:\/\/hooks\.example\.org +all +enabled +1 +never/)
    assert.ok(!text.stdout.includes('hidden'))

    const log = async (...options: string[]) =>
      (await json('webhooks', 'log', webhook, '--team', team, ...options)).deliveries.map(
        ({ about, state }: Record<string, unknown>) => [about, state],
      )
    assert.deepEqual(await log(), [
      ['Bridge 2', 'waiting'],
      ['Tower 2', 'failed'],
    ])
    assert.deepEqual(await log('--state', 'failed'), [['Tower 2', 'failed']])
    const { findings } = await json('doctor')
    const found = findings.find(({ what }: { what: string }) => what === 'webhooks')
    assert.equal(found.says, 'Deliveries to webhooks that wait: 1. Webhooks that fail at the moment: 0.')

    const limit = (...rest: string[]) => run('webhooks', 'limit', webhook, ...rest, '--team', team)
    assert.equal((await limit('Projects/Towers')).code, 0)
    assert.match((await run('webhooks', 'list')).stdout, / Towers +enabled /)
    const missing = await limit('Projects/Nothing')
    assert.deepEqual(
      [missing.code, missing.stderr.trim()],
      [1, 'Error: The team "Acme" has no folder "Projects/Nothing".'],
    )
    assert.equal((await limit()).code, 2)
    await makeHopeless(dataDir)
    assert.match((await run('webhooks', 'list')).stdout, / \(deleted: told of nothing\) +failing +1001 /)
    const warned = (await json('doctor')).findings.find(({ what }: { what: string }) => what === 'webhooks')
    assert.deepEqual(
      [warned.state, warned.says],
      [
        'warning',
        'Deliveries to webhooks that wait: 1001. Webhooks that fail at the moment: 1. ' +
          'Webhooks that are told of nothing, since their folder was deleted: 1.',
      ],
    )
    assert.match(warned.remedy, /meadow-server webhooks list/)
    assert.equal((await limit('--none')).code, 0)

    const replay = ['webhooks', 'replay', webhook, '--team', team, '--since', '2020-01-01']
    assert.deepEqual(await json(...replay), { replayed: 1 })
    assert.deepEqual(await log('--state', 'failed'), [])

    assert.deepEqual(await json('webhooks', 'disable', webhook, '--team', team), { disabled: webhook })
    assert.equal((await json('webhooks', 'list')).webhooks[0].state, 'disabled')
    const again = await run(...replay)
    assert.deepEqual(
      [again.code, again.stderr.includes('an owner of the team has to enable it first')],
      [1, true],
    )
  })

  test('[HOOK-12] given a webhook that the team does not have, then a sentence says so', async (t) => {
    const { run, team } = await open(t)
    for (const call of [['log'], ['disable'], ['replay', '--since', '2026-01-01']]) {
      const { code, stderr } = await run('webhooks', ...call, 'whk_none', '--team', team)
      assert.deepEqual([code, stderr], [1, 'Error: The team has no webhook "whk_none".\n'])
    }
  })
})
