import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../platform/database/database.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { atEnd } from '../testing/at-end.ts'
import { FEATURE_DATABASES } from '../testing/databases.ts'
import { createCommandLine, noLauncher } from '../testing/meadow-server.ts'
import { startWebApp } from '../testing/start-web-app.ts'

const readActions = async (database: Database, chain: string, after = 0) => {
  const rows = await database.read
    .selectFrom('audit_event')
    .where('chain', '=', chain)
    .where('seq', '>', after)
    .selectAll()
    .orderBy('seq')
    .execute()
  return rows.map(({ action, actor_kind, actor_name, thing_kind, thing_name, details }) => ({
    ...{ action, by: actor_name ?? actor_kind, thing: thing_kind && `${thing_kind} ${thing_name}` },
    details: details && JSON.parse(details),
  }))
}

for (const kind of FEATURE_DATABASES) {
  describe(`events of a team on ${kind.name}`, kind.options, () => {
    test('[AUD-5] given an owner who changes settings, members, tokens and documents, then the log of the team says each, with the owner and the names', async (t) => {
      const { signIn, team, database, fixtures } = await startWebApp(t, kind)
      const owner = await signIn('Olga', 'owner')
      const ann = await signIn('Ann', 'member')
      const documentId = await fixtures.document(team, { name: 'Tower' })
      const send = async (method: string, path: string, body?: unknown) => {
        const response = await owner.request(method, path, body)
        assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.text}`)
        return response.json
      }
      const before = (await readActions(database, team.id)).length
      await send('PATCH', `/teams/${team.id}`, { name: 'Facades' })
      await send('PATCH', `/teams/${team.id}/members/${ann.userId}`, { role: 'viewer' })
      await send('DELETE', `/teams/${team.id}/members/${ann.userId}`)
      const { token } = await send('POST', `/teams/${team.id}/tokens`, { name: 'Nightly' })
      await send('DELETE', `/teams/${team.id}/tokens/${token.id}`)
      const { invitation } = await send('POST', `/teams/${team.id}/invitations`, {
        role: 'viewer',
        note: 'Bob',
      })
      await send('DELETE', `/teams/${team.id}/invitations/${invitation.id}`)
      await send('PATCH', `/documents/${documentId}`, { visibility: 'public' })
      await send('DELETE', `/documents/${documentId}`)
      const { items } = await send('GET', `/teams/${team.id}/bin`)
      await send('POST', `/bin/${items[0].id}/restore`)
      await send('DELETE', `/documents/${documentId}`)
      const [item] = (await send('GET', `/teams/${team.id}/bin`)).items
      await send('DELETE', `/bin/${item.id}`)
      const events = (await readActions(database, team.id)).slice(before)
      for (const { by } of events) assert.equal(by, owner.email)
      assert.deepEqual(
        events.map(({ action, thing }) => [action, thing]),
        [
          ['team.settings_changed', null],
          ['member.role_changed', `user ${ann.email}`],
          ['member.removed', `user ${ann.email}`],
          ['token.created', 'token Nightly'],
          ['token.revoked', 'token Nightly'],
          ['invitation.created', 'invitation Bob'],
          ['invitation.withdrawn', 'invitation Bob'],
          ['document.visibility_changed', 'document Tower'],
          ['bin.deleted', 'document Tower'],
          ['bin.restored', 'document Tower'],
          ['bin.deleted', 'document Tower'],
          ['bin.purged', 'document Tower'],
        ],
      )
      assert.deepEqual(events[1]!.details, { from: 'member', to: 'viewer' })
    })
  })
}

describe('commands of the operator', { skip: noLauncher }, () => {
  test('[AUD-6] given commands, when they run, then each is recorded with its words and who ran it, and what it did as by the operator, without secrets', async (t) => {
    const { run, json, dataDir } = await createCommandLine(t)
    const { id } = await json('team', 'create', 'Acme')
    const { token } = await json('token', 'create', '--team', id, '--name', 'Nightly')
    await run('user', 'create', '--email', 'ann@example.org', '--name', 'Ann', '--team', id)
    const { password } = await json('user', 'set-password', 'ann@example.org')
    const { cookie } = await json('session', 'create', '--user', 'ann@example.org')
    await run('doctor')
    const database = await openDatabase({ dataDir })
    atEnd(t, () => database.close())
    const service = await readActions(database, 'service')
    for (const { by } of service) assert.match(by, /.@./)
    const words = ['team create', 'token create', 'user create', 'user set-password', 'session create']
    assert.deepEqual(
      service.filter(({ action }) => action === 'command.run').map(({ details }) => details.command),
      words.map((word) => `meadow-server ${word}`),
    )
    const others = service.filter(({ action }) => action !== 'command.run')
    assert.deepEqual(
      others.map(({ action, thing }) => [action, thing]),
      ['user.created', 'password.changed', 'sign_in.succeeded'].map((action) => [
        action,
        'user ann@example.org',
      ]),
    )
    const ofTeam = await readActions(database, id)
    assert.deepEqual(
      ofTeam.map(({ action, details }) => [action, details.command]),
      [
        ['team.created', 'meadow-server team create'],
        ['token.created', 'meadow-server token create'],
        ['member.added', 'meadow-server user create'],
      ],
    )
    const text = JSON.stringify(await database.read.selectFrom('audit_event').selectAll().execute())
    for (const secret of [token, password, cookie]) {
      assert.ok(secret.length > 10)
      assert.ok(!text.includes(secret))
    }
  })
})
