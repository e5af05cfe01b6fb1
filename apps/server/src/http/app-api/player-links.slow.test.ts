import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { APP_PREFIX, readCompactScene } from '@meadow/contract/web'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { createSuiteScope } from '../../testing/at-end.ts'
import { createGraph } from '../../testing/graph/create-graph.ts'
import { type Browser, startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'

/** What is in the document beside what is pinned, in names, texts, sources, values and groups. */
const SECRETS = ['Undisclosed', 'C# Script', 'Construct', 'secretSource', '4711']

/** Points, one of which is hidden, with a slider and a panel that are pinned. */
function drawTower(): GraphContent {
  const content = createGraph('Tower', ({ group, slider, text, script, add, panel }) => {
    group('Undisclosed group', 'inputs')
    const storeys = slider('Storeys', 3, { from: 1, to: 9 })
    const kept = slider('Undisclosed slider', 4711, { from: 0, to: 9999 })
    text('Undisclosed note', 'Undisclosed text')
    script('Undisclosed script', {
      source: 'var secretSource = 1;',
      inputs: { x: kept },
      lists: [],
      outputs: ['a'],
    })
    panel('Points', add('Construct Point', [storeys], 'Undisclosed points'))
    add('Construct Point', [kept], 'Undisclosed hidden points')
    panel('Undisclosed panel', kept)
  })
  const find = (name: string) => Object.values(content.nodes).find(({ nickName }) => nickName === name)!
  const toPort = (name: string) => {
    const { instanceId } = find(name)
    return { nodeInstanceId: instanceId, portInstanceId: instanceId }
  }
  find('Undisclosed points').status.isPreviewed = true
  find('Undisclosed hidden points').status.isPreviewed = false
  content.configuration = { inputs: [toPort('Storeys')], outputs: [toPort('Points')] }
  return content
}

const scope = createSuiteScope()
let started: ReturnType<typeof startWebApp> | undefined

/** A team with a solved document that is shared as its player; a person of another team, and nobody. */
async function startShared() {
  started ??= startWebApp(scope, undefined, { MEADOW_SOLVE_WORKERS: '1' })
  const app = await started
  const { fixtures, database, signIn, open } = app
  const team = await fixtures.team('Secret Facades GmbH')
  await changeTeam(database, team.key, (change) => addCredits(change, 4321))
  const ann = await signIn('Secretive Ann', 'member', team)
  const [stranger, nobody] = [await signIn('Dan', 'owner'), open()]
  const content = drawTower()
  const share = (id: string, visibility: string) => ann.request('PATCH', `/documents/${id}`, { visibility })
  const id = await fixtures.document(team, { name: 'Tower', content })
  assert.equal((await ann.request('POST', `/documents/${id}/solves`)).status, 202)
  const solution: string = await until('it is solved', async () => {
    const { json } = await ann.get(`/documents/${id}/solution`)
    return json.solve === 'solved' && json.solution.id
  })
  const paths = [`/documents/${id}/player`, `/documents/${id}/solutions/${solution}/player-scene`] as const
  return { ...app, team, ann, stranger, nobody, id, content, solution, share, paths }
}

const idsOf = ({ nodes }: GraphContent): string[] =>
  Object.values(nodes).flatMap(({ instanceId, ports, templateId }) => [
    instanceId,
    templateId,
    ...Object.keys(ports),
  ])

test('[APP-15] given a document that is shared as its player, when a visitor reads it, then they get the pinned inputs, the chosen results and the visible geometry, and no byte about the rest', async () => {
  const { nobody, stranger, ann, content, team, solution, share, paths, id, request, address } =
    await startShared()
  const changed = await share(id, 'player')
  assert.deepEqual([changed.status, changed.json.document.visibility], [200, 'player'])
  assert.ok(changed.json.document.publicUntil)
  const shown = (await nobody.get(paths[0])).json
  const { geometry, ...rest } = shown.solution
  assert.deepEqual(
    { ...shown, solution: rest },
    {
      name: 'Tower',
      solve: 'solved',
      inputs: [
        {
          label: 'Storeys',
          field: { kind: 'slider', minimum: 1, maximum: 9, interval: 'integer', decimals: 0, step: 1 },
          value: 3,
        },
      ],
      results: [
        {
          label: 'Points',
          values: { branches: 1, count: 1, first: [{ type: 'string', value: '{3, 0, 0}' }] },
        },
      ],
      solution: { id: solution, isCurrent: true, isComplete: false, units: rest.units },
    },
  )
  assert.match(geometry, /^[\w-]{43}$/)
  const secrets = [...SECRETS, ...idsOf(content), team.id, team.name, 'Secretive', ann.email]
  for (const path of paths) {
    const own = await nobody.get(path)
    assert.deepEqual([own.status, (await stranger.get(path)).text], [200, own.text], path)
    const { headers, text } = await request(APP_PREFIX + path)
    const head = JSON.stringify([...headers])
    for (const secret of secrets) assert.ok(!text.includes(secret) && !head.includes(secret), secret)
    assert.match(headers.get('cache-control')!, /^(no-store|private, no-cache)$/)
  }
  const bytes = await fetch(address + APP_PREFIX + paths[1])
  const scene = readCompactScene(new Uint8Array(await bytes.arrayBuffer()))
  const positions = scene.batches.flatMap((batch) => [...scene.floats(batch.positions)])
  assert.deepEqual([scene.batches.length, positions.length, scene.boundingBox![1][0]], [1, 3, positions[0]])
})

test('[APP-15] given a document that is shared as its player, when a visitor walks every route of the service, then two of them are served, and all others answer as for a missing one', async () => {
  const { nobody, stranger, service, share, id, solution, content, request } = await startShared()
  await share(id, 'player')
  const [node] = Object.values(content.nodes)
  const fill = (path: string, document: string) =>
    path
      .replace(':documentId', document)
      .replace(':solutionId', solution)
      .replace(':nodeInstanceId', node!.instanceId)
      .replace(':portInstanceId', node!.instanceId)
      .replaceAll(/:\w+|\*/g, 'x')
  const served: string[] = []
  let walked = 0
  for (const { method, path, access } of service.routes) {
    if (!path.includes(':documentId') || method === 'OPTIONS') continue
    walked++
    for (const { cookie } of [nobody, stranger]) {
      const ask = (document: string) =>
        request(fill(path, document), {
          method,
          headers: {
            ...(cookie && { cookie }),
            ...(method === 'POST' && { 'content-type': 'application/json' }),
          },
          ...(['POST', 'PATCH', 'PUT'].includes(method) && { body: '{}' }),
        })
      const [answer, missing] = [await ask(id), await ask('doc_0000000000000000')]
      if (access === 'player') {
        assert.deepEqual([answer.status, missing.status], [200, 404], `${method} ${path}`)
        served.push(`${method} ${path.split('/').at(-1)}`)
      } else {
        const reported = `${method} ${path}`
        const [text, expected] = [answer.text, missing.text].map((body) =>
          body.replaceAll(/nonce="[^"]+"/g, ''),
        )
        assert.deepEqual([answer.status, text], [missing.status, expected], reported)
        // Every page is the same for all documents: it has nothing of any.
        assert.ok(access === 'anyone' || answer.status >= 400, `${reported}: ${answer.status}`)
      }
    }
  }
  assert.ok(walked > 40, `${walked} routes`)
  assert.deepEqual(
    new Set(served),
    new Set(['GET player', 'HEAD player', 'GET player-scene', 'HEAD player-scene']),
  )
})

test('[APP-15] given a document that is shared as its player, when scripts, other links and other solutions are tried, then the API calls it private, and nothing else opens', async () => {
  const { nobody, ann, share, id, paths, fixtures, team, get, solution } = await startShared()
  await share(id, 'player')
  const { secret } = await fixtures.token(team)
  for (const path of ['/documents?q=Tower', '/folders/root'])
    assert.match((await get(path, { token: secret })).text, /"visibility":"private"/, path)
  const found = await ann.get(`/teams/${team.id}/search?q=Tower`)
  const { json } = await ann.get(`/folders/${(await fixtures.root(team)).id}`)
  assert.deepEqual(
    [found.json.documents[0].visibility, json.folder.documents[0].visibility],
    ['player', 'player'],
  )
  await ann.request('POST', `/documents/${id}/solves`)
  const newer = await until('there is a newer solution', async () => {
    const { solution: last } = (await nobody.get(paths[0])).json
    return last.id !== solution && last.id
  })
  assert.equal((await nobody.get(paths[1])).status, 404)
  assert.equal((await nobody.get(paths[1].replace(solution, newer))).status, 200)
})

test('[APP-14, APP-15] given a visitor of a player, when the document is private again, public, in the bin, or its team shares nothing, then the next request knows', async () => {
  const { nobody, ann, signIn, team, share, id, paths } = await startShared()
  const owner = await signIn('Olga', 'owner', team)
  const seen = async (who: Browser = nobody) =>
    (await Promise.all([...paths, `/documents/${id}/graph`].map((path) => who.get(path)))).map(
      ({ status }) => status,
    )
  assert.deepEqual(await seen(), [404, 404, 404])
  await share(id, 'player')
  assert.deepEqual(await seen(), [200, 200, 404])
  const { headers } = await nobody.get(paths[0])
  await share(id, 'private')
  const init = { headers: { 'if-none-match': headers.get('etag')! } }
  assert.deepEqual([await seen(), (await nobody.get(paths[0], init)).status], [[404, 404, 404], 404])
  await share(id, 'public')
  assert.deepEqual(await seen(), [200, 200, 200])
  await share(id, 'player')
  assert.deepEqual(await seen(), [200, 200, 404])
  assert.deepEqual(await seen(ann), [200, 200, 200])
  const allow = (allowed: boolean) =>
    owner.request('PATCH', `/teams/${team.id}`, { publicDocuments: { allowed } })
  await allow(false)
  assert.deepEqual([await seen(), (await share(id, 'player')).status], [[404, 404, 404], 409])
  await allow(true)
  await share(id, 'player')
  await ann.request('DELETE', `/documents/${id}`)
  assert.deepEqual(await seen(), [404, 404, 404])
})
