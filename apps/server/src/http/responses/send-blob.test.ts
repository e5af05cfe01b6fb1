import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createLog } from '../../platform/log.ts'
import { FOR_ANYONE } from '../route-access.ts'
import { callOf } from '../server.ts'
import { startHttpServer } from '../testing/start-http-server.ts'
import { GrowingBody } from './response-body.ts'
import { sendGrowing } from './send-blob.ts'

const source = { blobs: undefined as never, log: createLog('silent') }
const packed = gzipSync(randomBytes(300_000))

/** A body whose second half is never made, after the client has read of the first one. */
function createBrokenBody(isRead: Promise<void>): GrowingBody {
  async function* read() {
    yield packed.subarray(0, packed.length / 2)
    await isRead
    throw new Error('The process that made it was killed.')
  }
  const open = () => ({ read, async [Symbol.asyncDispose]() {} })
  return new GrowingBody('"tag"', open, Promise.reject(new Error('It was killed.')))
}

for (const version of ['1.0', '1.1'])
  for (const encoding of ['gzip', 'identity'])
    test(`[HTTP-25] given a body that breaks off while it is sent as ${encoding} over HTTP/${version}, then the client cannot take it for complete`, async (t) => {
      const { promise: isRead, resolve } = Promise.withResolvers<void>()
      const { address } = await startHttpServer(t, (app) =>
        app.get('/', FOR_ANYONE, async (request, reply) => {
          await sendGrowing(createBrokenBody(isRead), callOf(request, reply), source)
          return reply.hijack()
        }),
      )
      const { hostname, port } = new URL(address)
      const socket = connect(Number(port), hostname)
      t.after(() => socket.destroy())
      let text = ''
      let isReset = false
      socket.setEncoding('latin1').on('data', (chunk) => {
        text += chunk
        if (text.length > 1000) resolve()
      })
      socket.on('error', ({ code }: NodeJS.ErrnoException) => {
        isReset = code === 'ECONNRESET'
      })
      socket.write(`GET / HTTP/${version}\r\nHost: a.example\r\nAccept-Encoding: ${encoding}\r\n\r\n`)
      await new Promise((closed) => socket.once('close', closed))
      const isChunked = /\r\ntransfer-encoding: chunked\r\n/i.test(text)
      assert.equal(isChunked, version === '1.1')
      assert.ok(isChunked ? !text.endsWith('\r\n0\r\n\r\n') : isReset)
    })
