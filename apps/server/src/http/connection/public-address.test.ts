import assert from 'node:assert/strict'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { changeTeam } from '../../team/team-transaction.ts'
import { setHost } from '../../team/teams.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { requestRawOnce } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { FOR_ANYONE } from '../route-access.ts'
import { startHttpServer } from '../testing/start-http-server.ts'
import { publicAddress, publicPath } from './public-address.ts'

for (const kind of FEATURE_DATABASES) {
  test(
    `[HTTP-11] given no base URL and a foreign Host, when an owner invites someone, then the link has another host; under the host name of the team it has that one, on ${kind.name}`,
    kind.options,
    async (t) => {
      const { address, signIn, team, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'owner')
      const { host: arrived } = new URL(address)
      const call = async (host: string, method: string, path: string, headers: string, body = '') => {
        const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}`
        const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
        const { text } = await requestRawOnce(address, `${head}${body && length}\r\n${body}`)
        return JSON.parse(text)
      }
      const invite = async (host: string) => {
        const path = `/app/v1/teams/${team.id}/invitations`
        const json = await call(host, 'POST', path, `Cookie: ${ann.cookie}\r\n`, '{"role":"viewer"}')
        return new URL(json.url).host
      }
      assert.equal(await invite('evil.example:8080'), arrived)
      assert.equal(await invite('localhost:8080'), 'localhost:8080')
      await changeTeam(database, team.key, (change) => setHost(change, 'acme.example.org'))
      assert.equal(await invite('Acme.Example.org:8080'), 'acme.example.org:8080')
      assert.equal(await invite('acme.example.org.evil.example'), arrived)
    },
  )
}

/** A proxy that serves `path` from the server, which is set later. */
async function startProxy(t: TestContext, path: string, { strips }: { strips: boolean }) {
  let target: URL
  const proxy: Server = createServer((request, response) => {
    const { url = '', method, headers } = request
    if (!url.startsWith(path)) {
      response.writeHead(418).end()
      return
    }
    const inner = strips ? url.slice(path.length) || '/' : url
    const { hostname, port } = target
    request.pipe(
      forward({ hostname, port, path: inner, method, headers }, (inbound) => {
        response.writeHead(inbound.statusCode!, inbound.headers)
        inbound.pipe(response)
      }),
    )
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${path}`
  return {
    address,
    serve: (server: string) => {
      target = new URL(server)
    },
  }
}

for (const strips of [true, false]) {
  const manner = strips ? 'takes away' : 'leaves in place'
  test(`[HTTP-11] given a path of its own that a proxy ${manner}, then the API, the description and every page are found below it`, async (t) => {
    const proxy = await startProxy(t, '/tools/meadow', { strips })
    const { address, secret } = await startServer(t, { MEADOW_BASE_URL: `${proxy.address}/` })
    proxy.serve(address)
    const headers = { authorization: `Bearer ${secret}` }
    const description = JSON.parse(await (await fetch(`${proxy.address}/openapi.json`)).text())
    assert.deepEqual(description.servers, [{ url: `${proxy.address}/api/v1` }])
    assert.equal((await fetch(`${description.servers[0].url}/team`, { headers })).status, 200)
    assert.equal((await fetch(`${proxy.address}/healthz`, { headers })).status, 403)

    const page = await fetch(`${proxy.address}/docs`)
    const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!)
    const linked = files.filter((file) => !file.startsWith('#'))
    assert.ok(linked.length >= 4)
    for (const file of linked) {
      assert.ok(file.startsWith('/tools/meadow/'), file)
      assert.equal((await fetch(new URL(file, page.url))).status, 200, file)
    }
  })
}

test('[HTTP-11] given no base URL, then the description has no host', async (t) => {
  const { request } = await startServer(t)
  assert.deepEqual((await request('/openapi.json')).json.servers, [{ url: '/api/v1' }])
})

test('[HTTP-11] given links that leave the server, then they have the base URL, else a host of this machine or of the team, else the address where the request arrived, whatever it says', async (t) => {
  const base = 'https://example.org/meadow'
  const { address } = await startHttpServer(t, (app) => {
    app.get('/', FOR_ANYONE, ({ raw }) => publicAddress(undefined, raw))
    app.get('/team', FOR_ANYONE, ({ raw }) => publicAddress(undefined, raw, true))
    app.get('/base', FOR_ANYONE, ({ raw }) => publicAddress(base, raw))
  })
  const linked = async (headers: string, target = '/') => {
    const { text } = await requestRawOnce(address, `GET ${target} HTTP/1.0\r\n${headers}\r\n`)
    return text
  }
  assert.equal(await linked('Host: evil.example\r\n', '/base'), base)
  const own = [
    'localhost:3000',
    'LOCALHOST',
    'meadow.localhost:80',
    '127.0.0.1:8080',
    '127.9.9.9',
    '[::1]:3000',
  ]
  for (const host of own) assert.equal(await linked(`Host: ${host}\r\n`), `http://${host}`)
  const ofTeam = 'acme.example.org:8080'
  assert.equal(await linked(`Host: ${ofTeam}\r\n`, '/team'), `http://${ofTeam}`)
  const hostile = [
    'evil.example',
    'meadow.lan:4000',
    'localhost.evil.example',
    'evil-localhost',
    '127.0.0.1.evil.example',
    '127.1',
    '0.0.0.0',
    '10.0.0.1',
    '[::ffff:7f00:1]',
    '[::2]',
  ]
  for (const host of hostile) assert.equal(await linked(`Host: ${host}\r\n`), address, host)
  assert.equal(await linked('Host: localhost\r\n', 'http://evil.example/'), address)
  assert.equal(await linked('X-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\n'), address)
  assert.deepEqual([undefined, 'https://example.org', base].map(publicPath), ['', '', '/meadow'])
})
