import assert from 'node:assert/strict'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { requestRawOnce } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'
import { FOR_ANYONE } from '../route-access.ts'
import { startHttpServer } from '../testing/start-http-server.ts'
import { publicAddress, publicPath } from './public-address.ts'

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

test('[HTTP-11] given links that leave the server, then they have the base URL, else the host of the request, else where it arrived', async (t) => {
  const linked = async (baseUrl: string | undefined, headers: string, target = '/') => {
    const { address } = await startHttpServer(t, (app) => {
      app.get('/', FOR_ANYONE, ({ raw }) => publicAddress(baseUrl, raw))
    })
    const { text } = await requestRawOnce(address, `GET ${target} HTTP/1.0\r\n${headers}\r\n`)
    return { text, address }
  }
  const base = 'https://example.org/meadow'
  assert.equal((await linked(base, 'Host: evil.example\r\n')).text, base)
  assert.equal((await linked(undefined, 'Host: meadow.lan:4000\r\n')).text, 'http://meadow.lan:4000')
  assert.equal((await linked(undefined, 'Host: x\r\n', 'http://meadow.lan/')).text, 'http://meadow.lan')
  const { text, address } = await linked(undefined, '')
  assert.equal(text, address)
  assert.deepEqual([undefined, 'https://example.org', base].map(publicPath), ['', '', '/meadow'])
})
