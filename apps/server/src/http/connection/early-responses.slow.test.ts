import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { APP_ENDPOINTS, APP_PREFIX } from '@meadow/contract/web'
import { locateTestBucket } from '../../testing/blob-stores.ts'
import { startWebApp, type WebApp } from '../../testing/start-web-app.ts'
import { createThings, fillPath } from '../app-api/testing/team-things.ts'

const DEADLINE_MS = 30_000
/** The number of targets to which requests are sent at the same time. */
const AT_ONCE = 6

interface Sent {
  method: string
  path: string
  /** Lines of headers. */
  headers: string
  /** In bytes. */
  size: number
  isChunked: boolean
  /** The body is sent when the server has asked for it. */
  asksFirst?: boolean
}

/** A body in which nothing can be taken for a request. */
const bodyOf = (size: number, isChunked: boolean): Buffer => {
  const bytes = Buffer.alloc(size, '{')
  if (!isChunked) return bytes
  const chunk = size > 0 ? `${size.toString(16)}\r\n${bytes.toString('latin1')}\r\n` : ''
  return Buffer.from(`${chunk}0\r\n\r\n`)
}

const NEXT = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

/**
 * Sends a request and the next one behind it, and reads what comes back only when everything was sent, as simple clients
 * do. Resolves to the statuses of the responses; rejects when the connection is reset before they were read, and when the
 * server neither answers the next request nor closes the connection.
 */
async function sendWhole(address: string, sent: Sent): Promise<number[]> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const framing = sent.isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${sent.size}`
  const expect = sent.asksFirst ? 'Expect: 100-continue\r\n' : ''
  const head = `${sent.method} ${sent.path} HTTP/1.1\r\nHost: x\r\n${sent.headers}${framing}\r\n${expect}\r\n`
  const closed = once(socket, 'close')
  closed.catch(() => {})
  const deadline = setTimeout(() => socket.destroy(new Error('no response, and no end')), DEADLINE_MS)
  try {
    socket.write(head)
    let text = ''
    const take = (bytes: Buffer) => {
      text += bytes.toString('latin1')
      if (/HTTP\/1\.1 [2-5][\s\S]*HTTP\/1\.1 200 OK/.test(text)) socket.destroy()
    }
    if (sent.asksFirst) text += String((await once(socket, 'data'))[0])
    const { promise: written, resolve } = Promise.withResolvers<void>()
    socket.once('close', () => resolve())
    socket.write(Buffer.concat([bodyOf(sent.size, sent.isChunked), Buffer.from(NEXT)]), () => resolve())
    await written
    socket.on('data', take)
    await closed
    return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)]
      .map(([, status]) => Number(status))
      .filter((s) => s !== 100)
  } finally {
    clearTimeout(deadline)
    socket.destroy()
  }
}

/** What went wrong with a request; undefined when it was answered, and the next one too or the connection has ended. */
async function findFault(address: string, sent: Sent, expected?: number): Promise<string | undefined> {
  const { method, path, size, isChunked, asksFirst } = sent
  const what = `${method} ${path}, ${size} B${isChunked ? ' in chunks' : ''}${asksFirst ? ', asked first' : ''}`
  try {
    const [first, second, ...others] = await sendWhole(address, sent)
    if (first === undefined) return `${what}: no response`
    if (expected !== undefined && first !== expected) return `${what}: ${first}`
    if ((second ?? 200) !== 200 || others.length > 0) return `${what}: ${first}, then ${second}`
    return undefined
  } catch (error) {
    return `${what}: ${(error as Error).message}`
  }
}

/** Every mounted route, what looks like one, and methods that routes do not have. */
async function listTargets(app: WebApp, owner: Awaited<ReturnType<WebApp['signIn']>>) {
  const things = createThings(app, app.team, owner)
  const targets: { method: string; path: string; takesBody: boolean }[] = []
  const seen = new Set<string>()
  for (const { method, path } of app.service.routes) {
    if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) continue
    const endpoint = APP_ENDPOINTS.find((e) => e.method === method && APP_PREFIX + e.path === path)
    const takesBody = endpoint?.body !== undefined
    // Without a body to read, the routes of one prefix are answered alike.
    const kind = takesBody ? `${method} ${path}` : `${method} ${path.split('/')[1]}`
    if (seen.has(kind)) continue
    seen.add(kind)
    targets.push({ method, path: await fillPath(path, things), takesBody })
  }
  for (const path of ['/nothing', `${APP_PREFIX}/nothing`, '/api/v1/nothing', '/api/v1/team'])
    for (const method of ['GET', 'POST', 'OTHER']) targets.push({ method, path, takesBody: false })
  return targets
}

describe('responses that are sent before the body has arrived', () => {
  test('[HTTP-46] given any route, when its response comes before the body, then the next request is answered, or the connection ends', async (t) => {
    const app = await startWebApp(t)
    const owner = await app.signIn('Ann', 'owner')
    const targets = await listTargets(app, owner)
    assert.ok(targets.filter(({ takesBody }) => takesBody).length > 30)
    const cookie = `Cookie: ${owner.cookie}\r\n`
    const faults: (string | undefined)[] = []
    const send = async ({ method, path, takesBody }: (typeof targets)[number]) => {
      const type = `Content-Type: application/${path.includes('upload') ? 'octet-stream' : 'json'}\r\n`
      const query = path.includes('upload') ? '?fileName=Tower.gh' : ''
      const who = path.startsWith('/api') ? `Authorization: Bearer ${app.secret}\r\n` : cookie
      const base = { method, path: path + query, size: 200_000, isChunked: false }
      const sendings: Sent[] = [
        { ...base, headers: type },
        { ...base, headers: type + who, isChunked: true },
        { ...base, headers: type + who, size: takesBody ? 0 : 1000 },
        { ...base, headers: type + who, size: takesBody ? 3_000_000 : 70_000, asksFirst: takesBody },
      ]
      faults.push(...(await Promise.all(sendings.map((sent) => findFault(app.address, sent)))))
    }
    // Connections that the server closes gently wait for some seconds.
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      for (let target = targets.shift(); target; target = targets.shift()) await send(target)
    })
    await Promise.all(lanes)
    assert.deepEqual(
      faults.filter((fault) => fault !== undefined),
      [],
    )
  })

  const uploadTo = async (app: WebApp) => {
    const ann = await app.signIn('Ann', 'member')
    const { id } = await app.fixtures.root(app.team)
    const headers = `Content-Type: application/octet-stream\r\nCookie: ${ann.cookie}\r\n`
    return ['uploads', 'upload-previews'].map((what) => ({
      method: 'POST',
      path: `${APP_PREFIX}/folders/${id}/${what}?fileName=Tower.gh`,
      headers,
    }))
  }

  async function findUploadFaults(app: WebApp, status: number, sizes: readonly number[]) {
    const sendings: Promise<string | undefined>[] = []
    for (const route of await uploadTo(app))
      for (const [index, size] of sizes.entries())
        sendings.push(findFault(app.address, { ...route, size, isChunked: index % 2 === 0 }, status))
    return (await Promise.all(sendings)).filter((fault) => fault !== undefined)
  }

  test('[HTTP-46, UPL-9] given a disk that fails in the middle of an upload, then 503 or 500 is read, and the connection goes on or ends', async (t: TestContext) => {
    const app = await startWebApp(t)
    for (const [code, status] of [
      ['ENOSPC', 503],
      ['EIO', 500],
    ] as const) {
      const put = t.mock.method(app.service.blobs, 'put', async (bytes: AsyncIterable<Uint8Array>) => {
        for await (const _ of bytes) throw Object.assign(new Error(`${code}: write`), { code })
        throw new Error('no body')
      })
      assert.deepEqual(await findUploadFaults(app, status, [1000, 200_000]), [])
      assert.deepEqual(await findUploadFaults(app, status, [3_000_000, 3_000_000]), [])
      put.mock.restore()
    }
  })

  test('[HTTP-46, UPL-9] given an object store that is away, when files are uploaded, then 503 is read, and the connection goes on or ends', async (t) => {
    const { server, prefix, bucket, endpoint } = await locateTestBucket(t)
    const app = await startWebApp(t, undefined, {
      MEADOW_BLOBS: `s3://${bucket}/${prefix}?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: server.keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.keys.secretAccessKey,
    })
    server.onRequest(() => ({ kind: 'cut', at: 'request' }))
    t.after(() => server.onRequest(() => undefined))
    assert.deepEqual(await findUploadFaults(app, 503, [200_000, 3_000_000]), [])
  })
})
