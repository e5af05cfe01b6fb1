import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { APP_PREFIX, type CommentThread } from '@meadow/contract/web'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import type { Signed } from '../../testing/start-web-app.ts'
import { startWithMail } from '../../testing/start-with-mail.ts'
import { until } from '../../testing/until.ts'
import { connectRaw } from '../live/testing/raw-client.ts'
import { startLiveServer } from '../live/testing/start-live-server.ts'

const ABOUT_IT = { kind: 'document' }

async function start(t: TestContext, kind: TestDatabase) {
  const app = await startWithMail(t, kind)
  const { signIn, fixtures, team } = app
  const [ann, ben, vera] = [
    await signIn('Ann', 'owner'),
    await signIn('Ben', 'member'),
    await signIn('Vera', 'viewer'),
  ]
  const id = await fixtures.document(team, { name: 'Tower' })
  const path = `/documents/${id}/threads`
  const begin = async (who: Signed, text: string, anchor: object = ABOUT_IT) => {
    const { status, json, text: body } = await who.request('POST', path, { anchor, text })
    assert.equal(status, 201, body)
    return { at: `${path}/${json.thread.id}`, comment: json.comments[0].id, ...json }
  }
  const reply = (who: Signed, at: string, text: string) => who.request('POST', `${at}/comments`, { text })
  const list = async (who: Signed): Promise<CommentThread[]> => (await who.get(path)).json.threads
  return { ...app, ann, ben, vera, id, path, begin, reply, list }
}

for (const kind of FEATURE_DATABASES) {
  describe(`comments on ${kind.name}`, kind.options, () => {
    test('[COM-1, COM-2, COM-3, COM-4, COM-5, COM-10] given members of each role, when they comment, reply, edit, resolve and delete, then each may do what the rules say, sees what they have not read, and the audit log has it', async (t) => {
      const { ann, ben, vera, id, path, begin, reply, list, signIn, fixtures, get, database, team } =
        await start(t, kind)
      const node = { kind: 'node', node: 'a-node-that-is-gone' }
      const on = { node: 'n', port: 'p', path: '{0;1}', index: 3 }
      const point = { kind: 'point', x: 1.5, y: -2e6, z: 0, on }
      const first = await begin(vera, 'Is this\nthe right height?', { ...node, more: 'x'.repeat(50_000) })
      await begin(ben, 'مرحبا 👩🏽‍🚀', point)
      const group = await begin(ann, 'All of these', { kind: 'group', group: 'g' })
      const listed = await list(ann)
      assert.deepEqual(
        listed.map(({ anchor, excerpt, author, unread, isMentioned }) => ({
          anchor,
          excerpt,
          by: author?.name,
          unread,
          isMentioned,
        })),
        [
          {
            anchor: { kind: 'group', group: 'g' },
            excerpt: 'All of these',
            by: 'Ann',
            unread: 0,
            isMentioned: false,
          },
          { anchor: point, excerpt: 'مرحبا 👩🏽‍🚀', by: 'Ben', unread: 1, isMentioned: false },
          { anchor: node, excerpt: 'Is this the right height?', by: 'Vera', unread: 1, isMentioned: false },
        ],
      )
      // A comment that arrives while the others are read stays unread.
      const seen = listed[2]!.lastCommentId
      await reply(ben, first.at, 'No.')
      assert.equal((await ann.request('POST', `/documents/${id}/comments/read`, { upTo: seen })).status, 204)
      assert.deepEqual(
        (await list(ann)).map(({ unread }) => unread),
        [1, 0, 1],
      )
      const latest = (await list(ann))[0]!.lastCommentId
      const read = { upTo: latest, thread: listed[2]!.id }
      await ann.request('POST', `/documents/${id}/comments/read`, read)
      assert.deepEqual(
        (await list(ann)).map(({ unread }) => unread),
        [0, 0, 1],
      )
      assert.deepEqual(
        (await list(vera)).map(({ unread }) => unread),
        [1, 1, 1],
      )
      // Nothing is unread from before somebody came.
      const later = await signIn('Lea', 'viewer')
      assert.deepEqual(
        (await list(later)).map(({ unread }) => unread),
        [0, 0, 0],
      )

      // Resolved by a viewer, and open again with a reply.
      assert.equal(
        (await vera.request('PATCH', group.at, { isResolved: true })).json.thread.resolved.by.name,
        'Vera',
      )
      assert.equal((await list(vera)).find(({ id }) => id === group.thread.id)?.unread, 0)
      const reopened = await reply(ben, group.at, 'Wait')
      assert.equal(reopened.json.thread.resolved, null)
      assert.deepEqual(
        reopened.json.comments.map((comment: { text: string }) => comment.text),
        ['All of these', 'Wait'],
      )

      const own = `${first.at}/comments/${first.comment}`
      for (const who of [ann, ben])
        assert.equal((await who.request('PATCH', own, { text: 'Mine' })).status, 403)
      const edited = await vera.request('PATCH', own, { text: 'Is it?' })
      assert.equal(edited.json.comments[0].text, 'Is it?')
      assert.ok(edited.json.comments[0].editedAt)
      assert.equal((await ben.request('DELETE', own)).status, 403)
      assert.equal((await ann.request('DELETE', own)).status, 204)
      const { comments } = (await ann.get(first.at)).json
      assert.equal((await ben.request('DELETE', `${first.at}/comments/${comments[0].id}`)).status, 204)
      assert.equal((await ann.get(first.at)).status, 404)

      const stranger = await signIn('Sam', 'owner', await fixtures.team('Other'))
      await ann.request('PATCH', `/teams/${team.id}`, { publicDocuments: { allowed: true, days: null } })
      await ann.request('PATCH', `/documents/${id}`, { visibility: 'public' })
      for (const place of [path, group.at]) assert.equal((await stranger.get(place)).status, 404)
      assert.equal((await stranger.request('POST', path, { anchor: ABOUT_IT, text: 'Hi' })).status, 404)
      const { status, text } = await get(`/documents/${id}`)
      assert.equal(status, 200)
      assert.ok(!text.includes('All of these'))

      const { events } = (await ann.get(`/teams/${team.id}/audit`)).json
      const actions = events.filter(({ action }: { action: string }) => action.startsWith('comment.'))
      assert.deepEqual(
        actions
          .map(
            ({ action, actor }: { action: string; actor: { name: string } }) =>
              `${action} ${actor.name.replace(/\d.*/, '')}`,
          )
          .toReversed(),
        [
          'comment.added vera',
          'comment.added ben',
          'comment.added ann',
          'comment.added ben',
          'comment.resolved vera',
          'comment.reopened ben',
          'comment.added ben',
          'comment.edited vera',
          'comment.deleted ann',
          'comment.deleted ben',
        ],
      )
      assert.ok(!JSON.stringify(actions).includes('height'))
      // Nobody's name is on the comments of a deleted account.
      await database.transaction((write) => write.deleteFrom('user').where('id', '=', ben.userId).execute())
      const [left] = (await ann.get(group.at)).json.comments.slice(1)
      assert.deepEqual([left.author, left.text], [null, 'Wait'])
    })

    test('[COM-6] given mentions of members, of people of other teams and of nobody, when a comment is written and edited, then each member gets one mail, unless they have switched it off', async (t) => {
      const { ann, ben, vera, signIn, fixtures, begin, list, newMails, database } = await start(t, kind)
      const stranger = await signIn('Sam', 'owner', await fixtures.team('Other'))
      await database.transaction((write) => write.updateTable('user').set({ emailVerified: 1 }).execute())
      await vera.request('PATCH', '/me', { mentionMails: false })
      const nobody = 'usr_0000000000000000'
      const text = `@${ben.userId} @${ben.userId}, @${vera.userId}: ask @${stranger.userId} or @${nobody}, https://evil.example`
      const { at, comment, comments } = await begin(ann, text)
      assert.deepEqual(comments[0].mentions.map(({ name }: { name: string }) => name).sort(), ['Ben', 'Vera'])
      const mails = await newMails()
      assert.deepEqual(
        mails.map(({ recipients }) => recipients),
        [[ben.email]],
      )
      const [mail] = mails
      assert.match(mail!.subject ?? '', /^"Ann" mentioned you in a comment$/)
      assert.match(
        mail!.text ?? '',
        /@\u2060Ben, @\u2060Vera:\u2060 ask @\u2060former member or @\u2060former member/,
      )
      assert.doesNotMatch(mail!.text ?? '', /https:\/\/evil/)
      assert.ok(mail!.text?.includes(`?comment=${at.split('/').at(-1)}`))
      const [listed] = await list(ben)
      assert.deepEqual([listed!.isMentioned, listed!.excerpt.slice(0, 10)], [true, '@Ben @Ben,'])
      // Once for each person, also after edits; and oneself is not told.
      await ann.request('PATCH', `${at}/comments/${comment}`, { text: `@${ben.userId} @${ann.userId}` })
      assert.deepEqual(await newMails(), [])
      await vera.request('PATCH', '/me', { mentionMails: true })
      await ann.request('PATCH', `${at}/comments/${comment}`, { text: `@${vera.userId}` })
      assert.deepEqual(
        (await newMails()).map(({ recipients }) => recipients),
        [[vera.email]],
      )
      assert.equal((await list(ben))[0]!.isMentioned, false)
      // Nor is anybody to whom the team is closed until they add a second factor.
      await database.transaction(async (write) => {
        const factor = { id: 'f1', user_id: ann.userId, kind: 'totp', name: 'App', created_at: 0 } as const
        await write
          .insertInto('second_factor')
          .values({ ...factor, used_at: null, secret: 'x', last_step: null, counter: null })
          .execute()
        await write.updateTable('team').set({ requires_second_factor: 1 }).execute()
      })
      const closed = await begin(ann, `@${ben.userId}`)
      assert.deepEqual([closed.comments[0].mentions, await newMails()], [[], []])
    })

    test('[COM-7, COM-8] given a document with comments, when it goes to the bin, comes back, is copied and is deleted for good, then they follow it; texts and numbers beyond the limits are rejected and store nothing', async (t) => {
      const { ann, vera, id, path, begin, reply, list, team, database } = await start(t, kind)
      const { at, comment } = await begin(vera, `@${ann.userId}`)
      const rejected: [unknown, number][] = [
        ['', 400],
        [' \n ', 400],
        ['\u200e\u2060', 400],
        ['a\0b', 400],
        ['a\u001bb', 400],
        ['x'.repeat(5001), 400],
        [7, 400],
        ['x'.repeat(2 ** 20), 413],
        [
          Array.from({ length: 21 }, (_, n) => `@usr_00000000000000${String(n).padStart(2, '0')}`).join(' '),
          400,
        ],
      ]
      for (const [text, status] of rejected) {
        assert.equal(
          (await ann.request('POST', `${at}/comments`, { text })).status,
          status,
          String(text).slice(0, 20),
        )
        assert.equal((await ann.request('POST', path, { anchor: ABOUT_IT, text })).status, status)
      }
      for (const anchor of [
        null,
        { kind: 'moon' },
        { kind: 'node' },
        { kind: 'node', node: 'a\0' },
        { kind: 'node', node: 'x'.repeat(101) },
        { kind: 'point', x: 1, y: 2 },
        { kind: 'point', x: 1e300, y: 0, z: 0, on: null },
        { kind: 'point', x: 0, y: 0, z: 0, on: { node: 'n', port: 'p', path: '{a}', index: 0 } },
      ])
        assert.equal(
          (await ann.request('POST', path, { anchor, text: 'x' })).status,
          400,
          JSON.stringify(anchor),
        )
      for (const upTo of ['', 'a\0', 'com_0000000000000000'])
        assert.equal((await ann.request('POST', `/documents/${id}/comments/read`, { upTo })).status, 404)
      const thread = 'thr_0000000000000000'
      assert.equal(
        (await ann.request('POST', `/documents/${id}/comments/read`, { upTo: comment, thread })).status,
        404,
      )
      assert.equal((await list(ann)).length, 1)
      assert.equal((await list(ann))[0]!.comments, 1)
      const [longest] = (await reply(ann, at, `  ${'\u{1f600}'.repeat(2500)}\r\n`)).json.comments.slice(1)
      assert.equal(longest.text.length, 5000)
      for (let count = 1; count < 30; count++) assert.equal((await reply(ann, at, `${count}`)).status, 201)
      // Neither edits nor comments that are gone make room for more, and each could send mails.
      const last = `${at}/comments/${longest.id}`
      assert.equal((await ann.request('PATCH', last, { text: `@${vera.userId}` })).status, 429)
      assert.equal((await ann.request('DELETE', last)).status, 204)
      const tooFast = await reply(ann, at, 'too fast')
      assert.equal(tooFast.status, 429)
      assert.ok(Number(tooFast.headers.get('retry-after')) > 0)
      assert.equal((await reply(vera, at, 'in time')).status, 201)

      await ann.request('DELETE', `/documents/${id}`)
      for (const place of [path, at]) assert.equal((await ann.get(place)).status, 404)
      assert.equal((await reply(vera, at, 'x')).status, 404)
      const [item] = (await ann.get(`/teams/${team.id}/bin`)).json.items
      await ann.request('POST', `/bin/${item.id}/restore`)
      assert.equal((await list(ann))[0]!.comments, 31)
      const copy = (await ann.request('POST', `/documents/${id}/duplicate`, {})).json.document.id
      assert.deepEqual((await ann.get(`/documents/${copy}/threads`)).json.threads, [])
      await ann.request('DELETE', `/documents/${id}`)
      const [again] = (await ann.get(`/teams/${team.id}/bin`)).json.items
      assert.equal((await ann.request('DELETE', `/bin/${again.id}`)).status, 204)
      for (const table of [
        'comment_thread',
        'comment',
        'comment_mention',
        'comment_read',
        'comment_revision',
      ] as const) {
        const { count } = await database.read
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
        assert.equal(Number(count), 0, table)
      }
    })

    test('[COM-9] given pages at two processes and an agent, when somebody comments, then the pages are told, and the agent is not', async (t) => {
      const { address, startAnother, fixtures, team, person } = await startLiveServer(t, { kind })
      const other = await startAnother()
      const id = await fixtures.document(team)
      const ann = await person('ann', 'viewer')
      const pages = await Promise.all(
        [address, other.address].map((at) => connectRaw(t, at, ann.cookie, { origin: at })),
      )
      const agent = await connectRaw(t, other.address, ann.cookie)
      const clients = [...pages, agent]
      const hears = (client: (typeof pages)[number], text: string) =>
        client.received.some((bytes) => Buffer.from(bytes).includes(text))
      for (const client of clients) await client.open(id)
      const all = (text: string) =>
        until(`all pages hear ${text}`, async () => pages.every((page) => hears(page, text)))
      await all('{"type":"comments","revision":0}')
      const { status } = await fetch(`${address}${APP_PREFIX}/documents/${id}/threads`, {
        method: 'POST',
        headers: { cookie: ann.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ anchor: ABOUT_IT, text: 'Hello' }),
      })
      assert.equal(status, 201)
      await all('{"type":"comments","revision":1}')
      const { revision } = (await (
        await fetch(`${other.address}${APP_PREFIX}/documents/${id}/threads`, {
          headers: { cookie: ann.cookie },
        })
      ).json()) as { revision: number }
      assert.equal(revision, 1)
      assert.ok(hears(agent, '"type":"solve"') && !hears(agent, '"type":"comments"'))
    })
  })
}
