import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openLive } from '@meadow/client/live'
import { ALL_SCOPES, type AuditAction, type MemberRole, type TeamId, type UserId } from '@meadow/contract'
import { sql } from 'kysely'
import { addInvitation, setMember } from '../../access/members.ts'
import { createToken } from '../../access/team-tokens.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import type { TeamRecord } from '../../team/teams.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { deleteTeam } from '../deletion/team-deletion.ts'
import { nextEvent } from '../live/testing/start-live-server.ts'
import { enrol } from './testing/enrol.ts'
import { startWithProvider, type WithProviderOptions } from './testing/start-with-provider.ts'

const [ONE, TWO, NOWHERE] = ['1', '2', '3'].map((digit) => `team_${digit.repeat(16)}` as TeamId) as [
  TeamId,
  TeamId,
  TeamId,
]

const RULES = `
  designers:${ONE}:member, leads:${ONE}:owner, @example.org:${ONE}:viewer
  leads : ${TWO} : member,
  designers:${NOWHERE}:owner`

const ANN = { sub: '1', email: 'ann@example.org', email_verified: true, name: 'Ann' }
/** No rule has their domain. */
const BEN = { sub: '2', email: 'ben@example.com', email_verified: true, name: 'Ben' }

/** A server with rules, and the teams of which they speak. */
async function start(t: TestContext, kind: TestDatabase, { env, log }: WithProviderOptions = {}) {
  const app = await startWithProvider(t, kind, {
    env: { MEADOW_OIDC_ROLES: RULES, ...env },
    ...(log && { log }),
  })
  const { database, fixtures, provider, open, signIn } = app
  const createTeam = async (id: TeamId): Promise<TeamRecord> => {
    const team = await fixtures.team('Acme')
    await database.transaction((write) =>
      write.updateTable('team').set({ public_id: id }).where('id', '=', team.key).execute(),
    )
    return { ...team, id }
  }
  const [one, two] = [await createTeam(ONE), await createTeam(TWO)]

  /** The memberships of a person, such as `1 owner, by the provider, otherwise viewer`. */
  const rolesOf = async ({ email }: { email: string }): Promise<string[]> => {
    const rows = await database.read
      .selectFrom('membership')
      .innerJoin('team', 'team.id', 'membership.team_id')
      .innerJoin('user', 'user.id', 'membership.user_id')
      .where('user.email', '=', email)
      .select(['team.public_id as id', 'membership.role', 'by_provider', 'own_role'])
      .orderBy('team.public_id')
      .execute()
    return rows.map(({ id, role, by_provider, own_role }) =>
      [
        `${id.at(-1)} ${role}`,
        ...(by_provider === 1 ? ['by the provider'] : []),
        ...(own_role === null ? [] : [`otherwise ${own_role}`]),
      ].join(', '),
    )
  }
  /** Returns their roles afterwards. */
  const signInAs = async (claims: typeof ANN & Record<string, unknown>, groups?: unknown) => {
    provider.authorize(groups === undefined ? claims : { ...claims, groups })
    const browser = open()
    const page = await signIn(browser)
    return { browser, page, roles: await rolesOf(claims) }
  }
  const give = (team: TeamRecord, user: UserId, role: MemberRole) =>
    changeTeam(app.database, team.key, (change) => setMember(change, user, role))
  const eventsOf = async (action: AuditAction) => {
    const rows = await database.read
      .selectFrom('audit_event')
      .where('action', '=', action)
      .select(['chain', 'actor_kind', 'address', 'thing_name', 'details'])
      .orderBy('chain')
      .orderBy('seq')
      .execute()
    return rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details ?? '{}') }))
  }
  /** An owner of a team who has nothing to do with the provider. */
  const createOwner = (team: TeamRecord) => app.signInHere('Olga', 'owner', team)
  const findUser = async ({ email }: { email: string }) => (await app.users.findUser(email))!.id
  return { ...app, one, two, rolesOf, signInAs, give, eventsOf, createOwner, findUser }
}

for (const kind of FEATURE_DATABASES) {
  describe(`roles from a provider on ${kind.name}`, kind.options, () => {
    test('[SIGN-60, SIGN-67] given rules, when people sign in through the provider, then they have the highest role that rules of their groups and domain give in each team, which members and the audit log see', async (t) => {
      const { one, signInAs, rolesOf, eventsOf, createOwner } = await start(t, kind)
      const ann = await signInAs(ANN)
      assert.deepEqual(ann.roles, ['1 viewer, by the provider'])
      assert.deepEqual(
        (await ann.browser.get('/me')).json.teams.map(({ id }: { id: string }) => id),
        [ONE],
      )
      const both = await signInAs(ANN, ['leads', 'designers', 'others'])
      assert.deepEqual(both.roles, ['1 owner, by the provider', '2 member, by the provider'])
      assert.deepEqual((await signInAs(BEN, ['designers'])).roles, ['1 member, by the provider'])
      // A second sign-in changes nothing, also not the version that responses of the API depend on.
      assert.deepEqual((await signInAs(BEN, ['designers'])).roles, ['1 member, by the provider'])
      assert.deepEqual(
        (await signInAs({ ...BEN, sub: '3', email: 'c@x.example' }, ['leads,designers'])).roles,
        [],
      )

      const owner = await createOwner(one)
      const { members } = (await owner.get(`/teams/${ONE}/members`)).json
      assert.deepEqual(
        members.map(({ name, isRoleFromProvider }: Record<string, unknown>) => [name, isRoleFromProvider]),
        [
          ['Ann', true],
          ['Ben', true],
          ['Olga', false],
        ],
      )
      const changes = { actor_kind: 'service', address: '127.0.0.1' }
      const ofBen = (await eventsOf('member.added')).filter(({ thing_name }) => thing_name === BEN.email)
      assert.deepEqual(ofBen, [
        { chain: ONE, ...changes, thing_name: BEN.email, details: { role: 'member', by: 'provider' } },
      ])
      assert.deepEqual(await eventsOf('member.role_changed'), [
        {
          ...{ chain: ONE, ...changes, thing_name: ANN.email },
          details: { from: 'viewer', to: 'owner', by: 'provider' },
        },
      ])
      assert.deepEqual(await rolesOf(ANN), ['1 owner, by the provider', '2 member, by the provider'])
    })

    test('[SIGN-60] given a sign-in that changes nothing, then the version of the team stays, and with it the cached responses of its API', async (t) => {
      const { one, signInAs, database } = await start(t, kind)
      const versionOf = () =>
        database.read.selectFrom('team').where('id', '=', one.key).select('version').executeTakeFirst()
      await signInAs(ANN, ['designers'])
      const before = await versionOf()
      await signInAs(ANN, ['designers'])
      assert.deepEqual(await versionOf(), before)
    })

    test('[SIGN-60] given a change in the second of two teams that fails, when a person signs in, then nothing is changed in the first, nobody is signed in, and the next time both are', async (t) => {
      const { two, signInAs, rolesOf, provider, open, begin, database } = await start(t, kind)
      const { read } = database
      const run = (statement: string) => database.transaction((write) => sql.raw(statement).execute(write))
      const isOurs = `new.team_id = ${two.key}`
      await (kind.name === 'sqlite'
        ? run(`create trigger refuse before insert on membership when ${isOurs}
            begin select raise(abort, 'refused'); end`)
        : run(`create function refuse() returns trigger language plpgsql as $$ begin
            if ${isOurs} then raise exception 'refused'; end if; return new; end $$;
            create trigger refuse before insert on membership for each row execute function refuse()`))
      provider.authorize({ ...ANN, groups: ['leads'] })
      const browser = open()
      const { status, json } = await browser.get(await begin(browser), { redirect: 'manual' })
      assert.equal(status, 500)
      assert.ok(!JSON.stringify(json).includes('refused'))
      assert.deepEqual(await rolesOf(ANN), [])
      assert.equal((await browser.get('/me')).status, 401)
      assert.deepEqual(await read.selectFrom('session').selectAll().execute(), [])
      await run(kind.name === 'sqlite' ? 'drop trigger refuse' : 'drop trigger refuse on membership')
      const { roles } = await signInAs(ANN, ['leads'])
      assert.deepEqual(roles, ['1 owner, by the provider', '2 member, by the provider'])
    })

    test('[SIGN-61] given a member who has left their group, when they sign in again, then their membership ends with their tokens, invitations and open documents, and they get a notice; other rules go on', async (t) => {
      const { address, signInAs, give, createOwner, fixtures, one, two, database, get, findUser, ...app } =
        await start(t, kind)
      await createOwner(one)
      const { browser, roles } = await signInAs(BEN, ['leads'])
      assert.deepEqual(roles, ['1 owner, by the provider', '2 member, by the provider'])
      const ben = await findUser(BEN)
      const secret = createTokenSecret()
      await changeTeam(database, one.key, async (change) => {
        await createToken(change, { name: 'Nightly', secret, scopes: ALL_SCOPES, createdBy: ben })
        await addInvitation(change, {
          ...{ role: 'member', note: '', secret: 'x', createdBy: ben },
          ...{ createdAt: Date.now(), expiresAt: Date.now() + 60_000 },
        })
      })
      assert.equal((await get('/team', { token: secret })).status, 200)
      const documentId = await fixtures.document(one)
      const live = await openLive({ address, documentId, cookie: browser.cookie, timeoutMs: 30_000 })
      atEnd(t, () => live.close())
      const closed = nextEvent(live, 'status', (status) => status === 'closed')

      const later = await signInAs(BEN, [])
      assert.deepEqual(later.roles, [])
      await closed
      assert.equal((await browser.get(`/teams/${ONE}`)).status, 404)
      assert.equal((await get('/team', { token: secret })).status, 401)
      const { read } = database
      assert.deepEqual(await read.selectFrom('invitation').selectAll().execute(), [])
      const removed = await app.eventsOf('member.removed')
      assert.deepEqual(
        removed.map(({ chain, actor_kind, details }) => [chain, actor_kind, details]),
        [ONE, TWO].map((id) => [id, 'service', { by: 'provider' }]),
      )
      const notices = await read
        .selectFrom('mail')
        .where('recipient', '=', BEN.email)
        .where('subject', 'like', 'You are no longer%')
        .select('body')
        .execute()
      assert.equal(notices.length, 2)
      assert.match(notices[0]!.body ?? '', /The service that you sign in through decides it/)
      // Back in one of the groups.
      assert.deepEqual((await signInAs(BEN, ['designers'])).roles, ['1 member, by the provider'])
    })

    test('[SIGN-61] given roles that rules gave, when the operator takes all rules away, then they end with the next sign-in through the provider', async (t) => {
      const { signInAs, database, rolesOf, one, two, give, createOwner, findUser } = await start(t, kind, {
        env: { MEADOW_OIDC_ROLES: '' },
      })
      await createOwner(one)
      await signInAs(ANN)
      const ann = await findUser(ANN)
      await give(one, ann, 'member')
      await give(two, ann, 'viewer')
      // As a server with rules has left it.
      await database.transaction((write) =>
        write.updateTable('membership').set({ by_provider: 1 }).where('team_id', '=', one.key).execute(),
      )
      assert.deepEqual(await rolesOf(ANN), ['1 member, by the provider', '2 viewer'])
      assert.deepEqual((await signInAs(ANN)).roles, ['2 viewer'])
    })

    test('[SIGN-62] given a role that was given by hand, when rules give more, less or nothing, then it is raised as long as they do, and never lowered', async (t) => {
      const { signInAs, one, two, give, createOwner, findUser, rolesOf, eventsOf } = await start(t, kind)
      const owner = await createOwner(one)
      await signInAs(BEN)
      const ben = await findUser(BEN)
      await give(one, ben, 'viewer')
      await give(two, ben, 'owner')
      assert.deepEqual((await signInAs(BEN, ['leads'])).roles, [
        '1 owner, by the provider, otherwise viewer',
        '2 owner',
      ])
      assert.deepEqual((await signInAs(BEN, ['designers'])).roles, [
        '1 member, by the provider, otherwise viewer',
        '2 owner',
      ])
      assert.deepEqual((await signInAs(BEN)).roles, ['1 viewer', '2 owner'])
      assert.equal((await eventsOf('member.role_changed')).at(-1)!.details.by, 'provider')

      // Changed by hand, also to what it is, the role is one that was given by hand.
      await signInAs(BEN, ['leads'])
      const change = (role: MemberRole) => owner.request('PATCH', `/teams/${ONE}/members/${ben}`, { role })
      const { status, json } = await change('member')
      assert.deepEqual([status, json.member.isRoleFromProvider], [200, false])
      assert.deepEqual(await rolesOf(BEN), ['1 member', '2 owner'])
      assert.deepEqual((await signInAs(BEN)).roles, ['1 member', '2 owner'])
      await signInAs(BEN, ['leads'])
      assert.equal((await change('owner')).json.member.isRoleFromProvider, false)
      const { details } = (await eventsOf('member.role_changed')).at(-1)!
      assert.deepEqual(details, { from: 'owner', to: 'owner' })
      assert.deepEqual((await signInAs(BEN)).roles, ['1 owner', '2 owner'])

      // Taken out by hand, they come back as long as a rule gives the role.
      assert.equal((await owner.request('DELETE', `/teams/${ONE}/members/${ben}`)).status, 204)
      assert.deepEqual((await signInAs(BEN)).roles, ['2 owner'])
      assert.deepEqual((await signInAs(BEN, ['designers'])).roles, ['1 member, by the provider', '2 owner'])
    })

    test('[SIGN-62] given a role that a rule gave, when the operator lists members, gives another one or takes the member out, then the command says where the role is from, and what may follow', async (t) => {
      const { signInAs, createOwner, one, dataDir, databaseUrl } = await start(t, kind)
      await createOwner(one)
      await signInAs(BEN, ['designers'])
      const { run, json } = await createCommandLine(t, {
        MEADOW_DATA_DIR: dataDir,
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      })
      const list = async () => {
        const { users } = await json('user', 'list', '--team', ONE)
        return users.map(({ name, role, roleFrom }: Record<string, string>) => `${name} ${role} ${roleFrom}`)
      }
      assert.deepEqual(await list(), ['Ben member provider', 'Olga owner hand'])
      const { stdout } = await run('user', 'list', '--team', ONE)
      assert.match(
        stdout,
        /^E-MAIL +NAME +ROLE +ROLE GIVEN BY +ID +CONFIRMED\nben@example\.com +Ben +member +identity provider /,
      )
      const added = await run('user', 'add', BEN.email, '--team', ONE, '--role', 'viewer')
      assert.match(added.stderr, /their next sign-in may raise it again/)
      assert.deepEqual(await list(), ['Ben viewer hand', 'Olga owner hand'])
      assert.deepEqual((await signInAs(BEN, ['designers'])).roles, [
        '1 member, by the provider, otherwise viewer',
      ])
      const removed = await run('user', 'remove', BEN.email, '--team', ONE)
      assert.match(removed.stderr, /the next sign-in through it may bring them back/)
    })

    test('[SIGN-63] given the last owner of a team, when no rule makes them one any more, then they stay one until there is another, which the log says', async (t) => {
      const { log, lines } = createCapturedLog()
      const { signInAs, createOwner, one, findUser } = await start(t, kind, { log })
      await signInAs(BEN, ['leads'])
      const kept = ['1 owner, by the provider']
      assert.deepEqual((await signInAs(BEN, ['designers'])).roles, kept)
      assert.deepEqual((await signInAs(BEN)).roles, kept)
      const said = lines.filter(({ msg }) => msg.includes('whose last owner they are'))
      const ben = await findUser(BEN)
      assert.deepEqual(
        said.map(({ level, user, team }) => [level, user, team]),
        [ONE, ONE].map((team) => ['warn', ben, team]),
      )
      await createOwner(one)
      assert.deepEqual((await signInAs(BEN, ['designers'])).roles, ['1 member, by the provider'])
    })

    test('[SIGN-63] given two owners who lose their group, when both sign in at once, then one stays', async (t) => {
      const { signInAs, provider, open, begin, rolesOf } = await start(t, kind)
      const leads = { groups: ['leads'] }
      const people = [
        { ...BEN, sub: '4', email: 'dan@example.com' },
        { ...BEN, sub: '5', email: 'eva@example.com' },
      ]
      for (const person of people) await signInAs({ ...person, ...leads })
      const returns: (() => Promise<unknown>)[] = []
      for (const person of people) {
        provider.authorize(person)
        const browser = open()
        const path = await begin(browser)
        returns.push(() => browser.get(path, { redirect: 'manual' }))
      }
      await Promise.all(returns.map((finish) => finish()))
      const left = (await Promise.all(people.map(rolesOf))).flat()
      assert.deepEqual(left, ['1 owner, by the provider'])
    })

    test('[SIGN-60] given two sign-ins of one person at once, with different groups, when both are done, then their roles are those of one of the two', async (t) => {
      const { signInAs, provider, open, begin, rolesOf, createOwner, one } = await start(t, kind)
      await createOwner(one)
      await signInAs(BEN)
      const [designer, lead] = [['1 member, by the provider'], ['2 member, by the provider']]
      for (let round = 0; round < 5; round++) {
        const returns: (() => Promise<{ status: number }>)[] = []
        for (const groups of [['designers'], ['leads']]) {
          provider.authorize({ ...BEN, groups })
          const browser = open()
          const path = await begin(browser)
          returns.push(() => browser.get(path, { redirect: 'manual' }))
        }
        const ends = await Promise.all(returns.map((finish) => finish()))
        assert.deepEqual(
          ends.map(({ status }) => status),
          [302, 302],
        )
        const roles = await rolesOf(BEN)
        const expected = [designer, ['1 owner, by the provider', ...lead]]
        assert.ok(
          expected.some((one) => one.join() === roles.join()),
          roles.join(),
        )
        await signInAs(BEN)
      }
    })

    test('[SIGN-64] given a rule about a domain, when an address is not verified, below or beside the domain, or no address, then it gives nothing', async (t) => {
      const { signInAs, provider, open, signIn, rolesOf } = await start(t, kind)
      assert.deepEqual((await signInAs({ ...ANN, email: 'ANN@Example.ORG' })).page, '/')
      assert.deepEqual(await rolesOf(ANN), ['1 viewer, by the provider'])
      // The account is linked, so that they are signed in all the same.
      for (const email_verified of [false, undefined, null, 0, 'false', 1, 'yes', {}]) {
        const { page, roles } = await signInAs({ ...ANN, email_verified: email_verified as boolean })
        // They were the last member, and a viewer.
        assert.deepEqual([page, roles], ['/', []], String(email_verified))
      }
      assert.deepEqual((await signInAs({ ...ANN, email_verified: 'true' as never })).roles, [
        '1 viewer, by the provider',
      ])
      for (const email of [
        'ann@mail.example.org',
        'ann@example.org.evil.example',
        'ann@notexample.org',
        'ann@evil.example,bob@example.org',
        'ann@evil.example@example.org',
        'ann@example.org\u0000',
        `${'a'.repeat(300)}@example.org`,
      ]) {
        provider.authorize({ ...ANN, email })
        assert.equal(await signIn(open()), '/', email)
        assert.deepEqual(await rolesOf(ANN), [], email)
      }
    })

    test('[SIGN-65] given claims of every kind in place of groups, when a person signs in, then only texts in a list, or one text, are groups, and nothing else happens', async (t) => {
      const { signInAs, createOwner, one } = await start(t, kind)
      await createOwner(one)
      const none = (roles: string[], what: string) => assert.deepEqual(roles, [], what)
      const member = ['1 member, by the provider']
      for (const groups of [
        ...[null, 0, 1, true, {}, { designers: true }, { 0: 'designers', length: 1 }, [['designers']]],
        ...[[{ name: 'designers' }], ['Designers'], ['designers '], 'designers,leads', '', ['__proto__']],
        JSON.parse('{"__proto__":["designers"]}'),
        Array.from({ length: 10_000 }, (_, index) => `group ${index} ${'x'.repeat(20)}`),
        ['designers'.repeat(50_000)],
        ['designers\u0000', 'desig\u200Bners', '\uD800'],
      ]) {
        none((await signInAs(BEN, groups)).roles, JSON.stringify(groups).slice(0, 80))
        const again = await signInAs(BEN, ['designers', 5, null, ['leads'], { leads: 1 }])
        assert.deepEqual(again.roles, member)
        none((await signInAs(BEN)).roles, 'no claim')
      }
      const many = [...Array.from({ length: 10_000 }, (_, index) => `group ${index}`), 'designers']
      assert.deepEqual((await signInAs(BEN, many)).roles, member)
      assert.deepEqual((await signInAs(BEN, 'designers')).roles, member)
      const polluted = JSON.parse('{"__proto__":{"groups":["leads"]},"constructor":["leads"]}')
      none((await signInAs({ ...BEN, ...polluted })).roles, '__proto__')
    })

    test('[SIGN-65] given groups that the ID token lacks, when the userinfo endpoint has them, then they count if they are of the same person; while it fails, nobody is signed in, and no role ends', async (t) => {
      const { log, lines } = createCapturedLog('info')
      const { signInAs, provider, createOwner, one } = await start(t, kind, { log })
      await createOwner(one)
      const failed = '/sign-in?failed=oidc&error=unable_to_get_user_info'
      const member = ['1 member, by the provider']
      const more = (claims: object) => provider.tellMore(({ sub }) => ({ sub, ...claims }))
      more({ groups: ['designers'] })
      assert.deepEqual((await signInAs(BEN)).roles, member)
      // What is signed goes first.
      assert.deepEqual((await signInAs(BEN, [])).roles, [])
      await signInAs(BEN)
      for (const claims of [
        { sub: '1', groups: ['leads'] },
        { sub: undefined, groups: ['leads'] },
        undefined,
      ]) {
        provider.tellMore(() => claims)
        const { page, roles } = await signInAs(BEN)
        assert.deepEqual([page, roles], [failed, member])
      }
      assert.ok(lines.some(({ level, msg }) => level === 'error' && msg.includes('did not say more')))
      more({ groups: ['designers'], padding: 'x'.repeat(5 * 2 ** 20) })
      assert.equal((await signInAs(BEN)).page, failed)
      more({ email: 'ben@example.org', email_verified: true })
      assert.deepEqual((await signInAs(BEN)).roles, [], 'the address is that of the token')
      // Too many for a token: the claim is said to be elsewhere.
      await signInAs(BEN, ['designers'])
      const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'http://x' } } }
      assert.deepEqual((await signInAs({ ...BEN, ...overage })).roles, [])
      assert.ok(lines.some(({ level, msg }) => level === 'warn' && msg.includes('leaves out the groups')))
    })

    test('[SIGN-65] given tokens that the provider did not sign, or of another claim than the configured one, when they name groups, then these give nothing', async (t) => {
      const claim = 'https://acme.example/groups'
      const { signInAs, provider, createOwner, one } = await start(t, kind, {
        env: { MEADOW_OIDC_GROUPS_CLAIM: claim },
      })
      await createOwner(one)
      provider.tellMore(({ sub }) => ({ sub }))
      assert.deepEqual((await signInAs(BEN, ['leads'])).roles, [])
      assert.deepEqual((await signInAs({ ...BEN, [claim]: ['designers'] })).roles, [
        '1 member, by the provider',
      ])
      provider.lie({ [claim]: ['leads'] }, false)
      const { page, roles } = await signInAs(BEN)
      assert.match(page, /^\/sign-in\?failed=oidc&/)
      assert.deepEqual(roles, ['1 member, by the provider'])
    })

    test('[SIGN-66] given rules about a team that does not exist or is deleted, when people sign in, then these give nothing, and others do; roles that end there end', async (t) => {
      const { log, lines } = createCapturedLog()
      const { signInAs, database, two, createOwner } = await start(t, kind, { log })
      const idle = lines.filter(({ msg }) => msg.includes('MEADOW_OIDC_ROLES'))
      // When it started, there was none of the teams.
      assert.deepEqual(
        idle.map(({ level, msg }) => [level, msg.slice(0, 80)]),
        [ONE, ONE, ONE, TWO, NOWHERE].map((team, index) => [
          'warn',
          `Rule ${index + 1} of MEADOW_OIDC_ROLES gives a role in the team ${team}, which does`.slice(0, 80),
        ]),
      )
      await createOwner(two)
      await signInAs(BEN, ['leads'])
      await database.transaction((write) => deleteTeam(database, write, two.key, Date.now() + 60_000))
      assert.deepEqual((await signInAs(BEN, ['leads'])).roles, [
        '1 owner, by the provider',
        '2 member, by the provider',
      ])
      const carl = { ...BEN, sub: '6', email: 'carl@example.com' }
      assert.deepEqual((await signInAs(carl, ['leads', 'designers'])).roles, ['1 owner, by the provider'])
      assert.deepEqual((await signInAs(BEN)).roles, [])
    })

    test('[SIGN-67] given a team that requires a second factor, when a rule gives somebody without one a role there, then they see nothing of it until they have one', async (t) => {
      const { signInAs, one, createOwner } = await start(t, kind)
      const owner = await createOwner(one)
      await enrol(owner)
      const { status } = await owner.request('PATCH', `/teams/${ONE}/security`, {
        requiresSecondFactor: true,
      })
      assert.equal(status, 200)
      const { browser, roles } = await signInAs(BEN, ['designers'])
      assert.deepEqual(roles, ['1 member, by the provider'])
      assert.equal((await browser.get(`/teams/${ONE}`)).status, 404)
      await enrol(browser)
      assert.equal((await browser.get(`/teams/${ONE}`)).status, 200)
    })
  })
}
