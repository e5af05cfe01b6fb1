import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Access, APP_ENDPOINTS, APP_PREFIX } from '@meadow/contract/web'
import { points } from '../../features/solves/testing/graphs.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { createSuiteScope } from '../../testing/at-end.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { type Browser, startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'

/** What must not occur in any response to a visitor. */
const SECRETS = {
  team: 'Secret Facades GmbH',
  folder: 'Secret client',
  file: 'secret-tower.gh',
  member: 'Secretive Ann',
}

/** What endpoints need that visitors of public documents may use. */
const FOR_VISITORS = new Set<Access>(['player', 'visitor'])

const scope = createSuiteScope()
let started: ReturnType<typeof startWebApp> | undefined

/** A team with a public document that was solved, and one that is private; a person of another team, and nobody. */
async function startPublic() {
  started ??= startWebApp(scope, undefined, { MEADOW_SOLVE_WORKERS: '1' })
  const app = await started
  const { fixtures, database, signIn, open } = app
  const team = await fixtures.team(SECRETS.team)
  await changeTeam(database, team.key, (change) => addCredits(change, 4321))
  const ann = await signIn(SECRETS.member, 'member', team)
  const [stranger, nobody] = [await signIn('Dan', 'owner'), open()]
  const folder = await fixtures.folder(team, SECRETS.folder)
  const publish = (id: string, visibility = 'public') =>
    ann.request('PATCH', `/documents/${id}`, { visibility })

  async function createSolved(): Promise<{ id: string; solution: string; values: string[] }> {
    const id = await fixtures.document(team, { name: 'Tower', folder: folder.key, content: points() })
    assert.equal((await ann.request('POST', `/documents/${id}/solves`)).status, 202)
    const { solution } = await until('it is solved', async () => {
      const { json } = await ann.get(`/documents/${id}/solution`)
      return json.solve === 'solved' && json
    })
    // The first look at the document makes its picture, whose version the document says then.
    assert.equal((await ann.get(`/documents/${id}/thumbnail`)).status, 200)
    const values = Object.entries(solution.nodes as Record<string, { ports: object }>).flatMap(
      ([node, { ports }]) =>
        Object.keys(ports).map((port) => `/solutions/${solution.id}/nodes/${node}/ports/${port}`),
    )
    return { id, solution: solution.id, values }
  }

  /** Every path of a document that a visitor may read, filled with the ids of a solution. */
  const readable = ({ id, solution, values: [values] }: Awaited<ReturnType<typeof createSolved>>) =>
    APP_ENDPOINTS.filter(({ needs }) => FOR_VISITORS.has(needs)).map(({ path }) =>
      path.includes('/ports/')
        ? `/documents/${id}${values}`
        : path.replace(':documentId', id).replace(':solutionId', solution),
    )
  return { ...app, team, ann, stranger, nobody, folder, publish, createSolved, readable }
}

const MISSING = '/documents/doc_0000000000000000'

/** What differs from one response to the next, whatever was requested. */
const headersOf = ({ headers }: Pick<Response, 'headers'>) =>
  Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)))

test('[APP-5, APP-13] given a public document, when a visitor reads it, then they get the document, and no byte about its team; people of other teams get the same', async () => {
  const { ann, stranger, nobody, folder, team, publish, createSolved, readable } = await startPublic()
  const solved = await createSolved()
  await publish(solved.id)
  const paths = readable(solved)
  assert.ok(paths.length >= 6)
  const words = [...Object.values(SECRETS), team.id, folder.id, ann.userId, ann.email, '4320']
  for (const path of paths) {
    const [own, theirs] = [await nobody.get(path), await stranger.get(path)]
    assert.deepEqual([own.status, theirs.status, theirs.text], [200, 200, own.text], path)
    const head = JSON.stringify(headersOf(own))
    for (const word of words) assert.ok(!own.text.includes(word) && !head.includes(word), `${path}: ${word}`)
    assert.equal(own.headers.getSetCookie().length, 0)
  }
  const { document } = (await nobody.get(`/documents/${solved.id}`)).json
  const { createdAt, updatedAt, completeness, thumbnail, ...rest } = document
  assert.ok(createdAt && updatedAt && completeness !== null && thumbnail.version)
  assert.deepEqual(rest, {
    id: solved.id,
    name: 'Tower',
    visibility: 'public',
    team: null,
    role: null,
    publicUntil: null,
    publicDocuments: null,
    path: [],
    solve: 'solved',
    creditTenths: null,
    view: null,
    fileName: null,
  })
  const forMember = (await ann.get(`/documents/${solved.id}/solution`)).json.solution
  const { solution } = (await nobody.get(`/documents/${solved.id}/solution`)).json
  assert.ok(forMember.creditTenths >= 1)
  assert.deepEqual(solution, { ...forMember, creditTenths: null })
})

test('[APP-13] given a public document that was imported, when a visitor reads it, then neither the name of its file nor of its folder occurs', async () => {
  const { ann, nobody, folder, publish } = await startPublic()
  const octets = { headers: { 'content-type': 'application/octet-stream' } }
  const path = `/folders/${folder.id}/uploads?fileName=${SECRETS.file}`
  const { json } = await ann.request('POST', path, createDefinitionFile(), octets)
  const document = `/documents/${json.upload.documentId}`
  await ann.request('PATCH', document, { name: 'Shown' })
  await publish(json.upload.documentId)
  assert.equal((await ann.get(document)).json.document.fileName, SECRETS.file)
  for (const part of ['', '/graph', '/unsolvable', '/solution']) {
    const { status, text } = await nobody.get(document + part)
    assert.equal(status, 200, part)
    for (const secret of Object.values(SECRETS)) assert.ok(!text.includes(secret), `${part}: ${secret}`)
  }
})

test('[APP-13] given a solve that failed, when a visitor reads the state, then they see that it failed, and not why', async () => {
  const { ann, nobody, publish, fixtures, team, database } = await startPublic()
  const id = await fixtures.document(team, { content: points() })
  await publish(id)
  await ann.request('POST', `/documents/${id}/solves`)
  await until(
    'it has ended',
    async () => (await ann.get(`/documents/${id}`)).json.document.solve === 'solved',
  )
  const reason = 'The Rhino.Compute server rejected the key.'
  await database.transaction((write) =>
    write.updateTable('solve').set({ state: 'failed', reason }).where('team_id', '=', team.key).execute(),
  )
  const state = async (who: Browser) => {
    const { solve, reason } = (await who.get(`/documents/${id}/solution`)).json
    return [solve, reason]
  }
  assert.deepEqual(await state(ann), ['failed', reason])
  assert.deepEqual(await state(nobody), ['failed', null])
})

test('[APP-13] given a visitor who knows the id of a solution, when a newer one is there, then only that one opens, and for members both', async () => {
  const { ann, stranger, nobody, publish, createSolved, readable } = await startPublic()
  const older = await createSolved()
  await publish(older.id)
  const tags = new Map<string, string>()
  for (const path of readable(older)) tags.set(path, (await nobody.get(path)).headers.get('etag')!)
  await ann.request('POST', `/documents/${older.id}/solves`)
  const newer = await until('there is a newer solution', async () => {
    const { solve, solution } = (await ann.get(`/documents/${older.id}/solution`)).json
    return solve === 'solved' && solution.id !== older.solution && solution.id
  })
  const ofSolution = readable(older).filter((path) => path.includes(older.solution))
  assert.equal(ofSolution.length, 3)
  for (const path of ofSolution) {
    const latest = path.replace(older.solution, newer)
    assert.deepEqual([(await ann.get(path)).status, (await ann.get(latest)).status], [200, 200], path)
    for (const who of [nobody, stranger]) {
      const init = { headers: { 'if-none-match': tags.get(path)! } }
      assert.deepEqual([(await who.get(path)).status, (await who.get(path, init)).status], [404, 404], path)
      assert.equal((await who.get(latest)).status, 200, latest)
    }
  }
  // Every other address that a visitor may read shows what is there now, and names no older solution.
  for (const path of readable(older).filter((path) => !ofSolution.includes(path)))
    assert.ok(!(await nobody.get(path)).text.includes(older.solution), path)
})

test('[APP-5, APP-14] given a visitor who has read a public document, when it becomes private, is put into the bin, or is deleted, then every address gives the same as for a missing one, whatever they cached', async () => {
  const { ann, stranger, nobody, publish, createSolved, readable } = await startPublic()
  const [hidden, binned] = [await createSolved(), await createSolved()]
  const missing = await nobody.get(MISSING)
  assert.equal(missing.status, 404)
  for (const { solved, end } of [
    { solved: hidden, end: () => publish(hidden.id, 'private') },
    { solved: binned, end: () => ann.request('DELETE', `/documents/${binned.id}`) },
  ]) {
    await publish(solved.id)
    const seen = await Promise.all(
      readable(solved).map(async (path) => ({ path, tag: (await nobody.get(path)).headers.get('etag')! })),
    )
    for (const { path, tag } of seen) {
      const again = await nobody.get(path, { headers: { 'if-none-match': tag } })
      assert.equal(again.status, 304, path)
    }
    assert.ok((await end()).status < 300)
    for (const { path, tag } of seen)
      for (const who of [nobody, stranger]) {
        const answer = await who.get(path, { headers: { 'if-none-match': tag } })
        assert.deepEqual([answer.status, answer.text], [404, missing.text], path)
        assert.deepEqual(headersOf(answer), headersOf(missing), path)
      }
  }
  await publish(hidden.id)
  assert.equal((await nobody.get(`/documents/${hidden.id}`)).status, 200)
})

test('[APP-5, APP-14] given a public document, when a visitor uses its address for other documents, methods and endpoints, then nothing else opens', async () => {
  const { stranger, nobody, folder, team, publish, createSolved, readable, request } = await startPublic()
  const [shown, kept] = [await createSolved(), await createSolved()]
  await publish(shown.id)
  for (const who of [nobody, stranger]) {
    for (const path of readable(kept)) assert.equal((await who.get(path)).status, 404, path)
    // The ids of another solution, below the document that is public.
    const other = readable({ ...kept, id: shown.id }).filter((path) => path.includes(kept.solution))
    assert.equal(other.length, 3)
    for (const path of other) assert.equal((await who.get(path)).status, 404, path)
    for (const path of readable(kept))
      assert.equal((await who.request('HEAD', path)).status, 404, `HEAD ${path}`)
    for (const { method, path, needs } of APP_ENDPOINTS) {
      if (FOR_VISITORS.has(needs) || needs === 'anyone' || needs === 'person') continue
      const filled = path
        .replace(':documentId', shown.id)
        .replace(':folderId', folder.id)
        .replace(':teamId', team.id)
        .replaceAll(/:\w+/g, 'x')
      const { status } = await who.request(method, filled, method === 'GET' ? undefined : {})
      assert.equal(status, who === nobody ? 401 : 404, `${method} ${path}`)
    }
  }
  const origin = 'https://other.example'
  for (const path of readable(shown)) {
    const read = await nobody.get(path, { headers: { origin } })
    assert.equal(read.status, 200)
    assert.match(read.headers.get('cache-control')!, /^(no-store|private, no-cache)$/, path)
    assert.equal(read.headers.get('cross-origin-resource-policy'), 'same-origin', path)
    const head = await nobody.request('HEAD', path)
    assert.deepEqual([head.status, head.text], [200, ''], path)
    const preflight = await request(APP_PREFIX + path, {
      method: 'OPTIONS',
      token: null,
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    assert.ok(preflight.status >= 400, path)
    for (const { headers } of [read, head, preflight])
      assert.ok(![...headers.keys()].some((name) => name.startsWith('access-control-')), path)
  }
})
