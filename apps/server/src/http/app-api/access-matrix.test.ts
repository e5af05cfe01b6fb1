import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import {
  ALL_SCOPES,
  API_ERRORS,
  API_PREFIX,
  missingScopeSentence,
  readTeam,
  type Scope,
} from '@meadow/contract'
import { APP_ENDPOINTS, APP_ERRORS, APP_PREFIX } from '@meadow/contract/web'
import type { RouteShorthandOptions } from 'fastify'
import { revokeToken } from '../../access/team-tokens.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { startWebApp, type WebApp } from '../../testing/start-web-app.ts'
import { createApi } from '../api/api.ts'
import { NO_BODY, serve } from '../api/route.ts'
import type { MountedRoute, RouteAccess } from '../route-access.ts'
import { startHttpServer } from '../testing/start-http-server.ts'
import { createThings, fillPath } from './testing/team-things.ts'

type Answer = 'served' | 'signed out' | 'missing' | 'role' | 'no token'

const PEOPLE = ['nobody', 'ended', 'stranger', 'viewer', 'member', 'owner', 'token'] as const

/**
 * What each caller gets by what a route declares, written out: the server's own comparison is what is tested. `ended`
 * had a session as an owner, `stranger` owns another team, `token` is an owner who sends an API token too.
 */
const EXPECTED: Record<Exclude<RouteAccess, Scope>, readonly Answer[]> = {
  anyone: ['served', 'served', 'served', 'served', 'served', 'served', 'no token'],
  player: ['missing', 'missing', 'missing', 'served', 'served', 'served', 'no token'],
  visitor: ['missing', 'missing', 'missing', 'served', 'served', 'served', 'no token'],
  person: ['signed out', 'signed out', 'served', 'served', 'served', 'served', 'no token'],
  viewer: ['signed out', 'signed out', 'missing', 'served', 'served', 'served', 'no token'],
  member: ['signed out', 'signed out', 'missing', 'role', 'served', 'served', 'no token'],
  owner: ['signed out', 'signed out', 'missing', 'role', 'role', 'served', 'no token'],
  link: ['missing', 'missing', 'missing', 'missing', 'missing', 'missing', 'no token'],
}

const MISSING: string[] = [
  APP_ERRORS.page_not_found,
  APP_ERRORS.team_not_found,
  APP_ERRORS.folder_not_found,
  APP_ERRORS.document_not_found,
  APP_ERRORS.file_not_found,
  APP_ERRORS.bin_item_not_found,
].map(({ sentence }) => sentence)

/** A team with one person of each role, and what a route may name. New for each write, which may end any of it. */
async function createTeam(app: WebApp) {
  const team = await app.fixtures.team('Matrix')
  const [owner, member, viewer, stranger, ended] = await Promise.all([
    app.signIn('Ann', 'owner', team),
    app.signIn('Ben', 'member', team),
    app.signIn('Cem', 'viewer', team),
    app.signIn('Dan', 'owner'),
    app.signIn('Eva', 'owner', team),
  ])
  const { cookie } = ended
  await ended.request('POST', '/sign-out')
  return {
    things: remember(createThings(app, team, owner)),
    people: { nobody: app.open(), ended: app.open(cookie), stranger, viewer, member, owner, token: owner },
  }
}

/** Makes each thing once: a request that is refused, or only reads, leaves it as it is for the next one. */
const remember = (things: ReturnType<typeof createThings>): typeof things =>
  Object.fromEntries(
    Object.entries(things).map(([name, make]) => {
      let made: Promise<string> | undefined
      return [name, () => (made ??= make())]
    }),
  )

const ASSET = readdirSync(new URL('../../../../web/dist/assets', import.meta.url)).find((name) =>
  name.endsWith('.js'),
)!

const isRead = ({ method }: MountedRoute) => method === 'GET'

/** The routes of everything but the API, and their endpoints in the app API. GET stands for HEAD too. */
function listRoutes({ service }: WebApp) {
  const routes = service.routes.filter(
    ({ method, path }) =>
      !path.startsWith(API_PREFIX) && ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method),
  )
  return routes.map((route) => ({
    ...route,
    // A file of the web app is there only by its name.
    path: route.path.replace('*', ASSET),
    endpoint: APP_ENDPOINTS.find((e) => e.method === route.method && APP_PREFIX + e.path === route.path),
  }))
}

/** Teams for the requests to routes. A write that succeeded may have changed its team, so the next request is about another. */
function createTeams(app: WebApp) {
  let team = createTeam(app)
  return {
    get: () => team,
    change: () => {
      team = createTeam(app)
    },
  }
}

async function checkPeople(
  app: WebApp,
  teams: ReturnType<typeof createTeams>,
  route: ReturnType<typeof listRoutes>[number],
): Promise<string[]> {
  const { method, path, endpoint, access } = route
  const expected = EXPECTED[access as keyof typeof EXPECTED]
  const wrong: string[] = []
  for (const [index, who] of PEOPLE.entries()) {
    const { people, things } = await teams.get()
    const { cookie } = people[who]
    const { status, json } = await app.request(await fillPath(path, things), {
      method,
      // Nothing that is accepted: the error about it comes after the authorization.
      ...(endpoint?.body && { body: '{}' }),
      headers: { ...(cookie && { cookie }), ...(endpoint?.body && { 'content-type': 'application/json' }) },
      token: who === 'token' ? app.secret : null,
    })
    const error: string | undefined = json?.error
    const answer = findAnswer(status, error)
    // The handler may ask for more than the declaration, and says so in it.
    const mayServe = answer === 'role' && endpoint?.errors.includes('role_missing')
    const isRight = answer === expected[index] || (mayServe && expected[index] === 'served')
    if (!isRight) wrong.push(`${method} ${path} (${access}) as ${who}: ${status} ${error ?? ''}`)
    if (status < 400 && !isRead(route)) teams.change()
  }
  return wrong
}

function findAnswer(status: number, error: string | undefined): Answer {
  if (status === 401 && error === APP_ERRORS.not_signed_in.sentence) return 'signed out'
  if (status === 403 && error === APP_ERRORS.role_missing.sentence) return 'role'
  if (status === 403 && error === API_ERRORS.token_outside_the_api.sentence) return 'no token'
  if (status === 405 || (status === 404 && MISSING.includes(error ?? ''))) return 'missing'
  return 'served'
}

test('[MTX-2, APP-1, APP-2, APP-3, APP-4, APP-5] given every route outside the API, when each kind of person calls it, then those are served whom it declares, and no other', async (t) => {
  const app = await startWebApp(t)
  const routes = listRoutes(app)
  const wrong: string[] = []
  const teams = createTeams(app)
  for (const route of routes) wrong.push(...(await checkPeople(app, teams, route)))
  assert.deepEqual(wrong, [])
  const declared = routes.flatMap(({ endpoint }) => endpoint ?? [])
  assert.deepEqual(new Set(declared), new Set(APP_ENDPOINTS), 'every endpoint of the app API is mounted')
  assert.ok(routes.length * PEOPLE.length >= 300, `${routes.length} routes`)
})

test('[MTX-2] given every route of the API, when tokens of every scope, of another team, ended and unknown ones and people call it, then it is served to the scope that it declares', async (t) => {
  const app = await startWebApp(t)
  const { fixtures, service, secret, database, signIn, request } = app
  const team = await fixtures.team('Matrix')
  const owner = await signIn('Ann', 'owner', team)
  const things = createThings(app, team, owner)
  const make = async (options: Parameters<typeof fixtures.token>[1] = {}) =>
    (await fixtures.token(team, options)).secret
  const revoked = await fixtures.token(team)
  await changeTeam(database, team.key, (change) => revokeToken(change, revoked.id))
  const scoped = Object.fromEntries(
    await Promise.all(ALL_SCOPES.map(async (scope) => [scope, await make({ scopes: [scope] })])),
  )
  const all = await make()
  const rejected = {
    nobody: null,
    unknown: createTokenSecret(),
    expired: await make({ expiresAt: Date.now() - 1 }),
    revoked: revoked.secret,
  }
  const routes = service.routes.filter(({ path }) => path.startsWith(API_PREFIX))
  assert.equal(routes.length, 9)
  for (const { method, path, access } of routes) {
    // Asked for with a format, so that the export is looked for.
    const query = path.endsWith('/export') ? '?format=.gh' : ''
    const filled = await fillPath(path, things)
    const call = (token: string | null, cookie?: string) =>
      request(filled + query, { method, token, headers: cookie === undefined ? {} : { cookie } })
    for (const [who, token] of Object.entries(rejected)) {
      assert.equal((await call(token)).status, 401, `${path} with ${who}`)
      assert.equal((await call(token, owner.cookie)).status, 401, `${path} with ${who} and a session`)
    }
    for (const scope of ALL_SCOPES) {
      const { status, json } = await call(scoped[scope])
      const reported = `${path} with ${scope}: ${status}`
      if (scope === access) assert.ok(isServed(status, json?.error), reported)
      else assert.deepEqual([status, json.error], [403, missingScopeSentence(access as Scope)], reported)
    }
    const { status, json } = await call(all)
    assert.ok(isServed(status, json?.error), path)
    const foreign = await call(secret)
    if (path.includes(':')) {
      const nothing = await request(path.replaceAll(/:\w+/g, 'nothing') + query, { token: secret })
      assert.deepEqual([foreign.status, foreign.text], [404, nothing.text], path)
    } else assert.ok(isServed(foreign.status) && !foreign.text.includes(team.id), path)
  }
})

/** Something that was found, solved or not, or whose part named `nothing` was looked for. */
const isServed = (status: number, error?: string) =>
  ![401, 403, 404].includes(status) || error === APP_ERRORS.version_not_found.sentence

test('[MTX-1] given a route that does not declare who may use it, when it is mounted, then the server does not start', async (t) => {
  const bare: RouteShorthandOptions[] = [{}, { config: {} }, { config: { isSecret: true } }]
  for (const options of bare)
    await assert.rejects(
      startHttpServer(t, (app) => void app.get('/bare', options, () => 'open')),
      /^Error: The route GET \/bare does not say who may use it/,
    )
  for (const scope of [undefined, 'everything'] as never[]) {
    const routes = [serve({ ...readTeam, scope }, () => NO_BODY, { isCached: false })]
    assert.throws(() => createApi({ routes } as never), /^Error: The route GET \/api\/v1\/team needs a scope/)
  }
})
