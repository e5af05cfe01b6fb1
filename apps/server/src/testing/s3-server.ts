import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from '../../../../checks/load.ts'
import { createMutex } from '../platform/concurrency/mutex.ts'

/** What happens to a request: the store refuses it, answers nothing, or the connection is lost at some point. */
export type S3Fault =
  | { kind: 'refuse'; status: number; code: string; retryAfter?: number }
  | { kind: 'stall' }
  /** Before the request is read to its end, after it has taken effect, or when half of the answer was sent. */
  | { kind: 'cut'; at: 'request' | 'effect' | 'half' }
  /** Half of the answer is sent, and then nothing more. */
  | { kind: 'freeze' }
  /** One byte of the answer is another one. */
  | { kind: 'corrupt' }
  /** Takes effect after something else was done. */
  | { kind: 'delay'; until: () => Promise<unknown> }

export interface S3Server {
  readonly endpoint: string
  readonly bucket: string
  readonly keys: { accessKeyId: string; secretAccessKey: string }
  /** The requests so far, such as `PUT blobs/ab12…`, in the order in which they came. */
  readonly requests: string[]
  /** Is asked about each request from now on. */
  onRequest(choose: (line: string) => S3Fault | undefined): void
  /** The unfinished uploads of parts whose keys begin like this. */
  listUploads(prefix: string): Promise<string[]>
  /** Makes it a week ago that an upload began. */
  makeUploadOld(upload: string): Promise<void>
  /** The file that holds an object. */
  pathOf(key: string): string
  close(): Promise<void>
}

const BUCKET = 'meadow-test'
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/**
 * An object store: s3rver, which checks signatures, and in front of it what S3 has and s3rver lacks. A request that breaks
 * off has no effect, bytes are compared with their SHA-256, requests take effect one after the other, and uploads of parts
 * are listed and aborted.
 */
export async function openS3Server(): Promise<S3Server> {
  const { default: S3rver } = await load('@20minutes/s3rver')
  const folder = await mkdtemp(join(tmpdir(), 'meadow-s3-'))
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: folder,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  })
  // Its tokens of the next page need a cipher (DES) that OpenSSL 3 has no more.
  let isTruncated = false
  const listObjects = store.store.listObjects.bind(store.store)
  store.store.listObjects = async (...given: unknown[]) => {
    const page = await listObjects(...given)
    isTruncated = page.isTruncated
    return { ...page, isTruncated: false }
  }
  const { port: innerPort } = await store.run()
  const turns = createMutex()
  const requests: string[] = []
  let choose: (line: string) => S3Fault | undefined = () => undefined
  const uploads = join(folder, BUCKET, '._S3rver_uploads')

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request
    const address = new URL(url, 'http://store')
    const line = `${method} ${decodeURIComponent(address.pathname).slice(BUCKET.length + 2)}${address.search}`
    requests.push(line)
    const fault = choose(line)
    if (fault?.kind === 'stall') return
    if (fault?.kind === 'cut' && fault.at === 'request') return void request.socket.destroy()
    if (fault?.kind === 'refuse') return refuse(response, fault)
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Uint8Array>))
    if (fault?.kind === 'delay') await fault.until()
    const wanted = request.headers['x-amz-content-sha256']
    if (/^[0-9a-f]{64}$/.test(String(wanted)) && sha256(body) !== wanted) {
      return refuse(response, { status: 400, code: 'XAmzContentSHA256Mismatch' })
    }
    const answer = await takeEffect(request, address, body)
    if (fault?.kind === 'cut' && fault.at === 'effect') return void request.socket.destroy()
    if (fault?.kind === 'corrupt' && answer.body.length > 0) answer.body[0]! ^= 1
    response.writeHead(answer.status, answer.headers)
    if (fault?.kind === 'cut' || fault?.kind === 'freeze') {
      response.write(answer.body.subarray(0, answer.body.length / 2), () => {
        if (fault.kind === 'cut') request.socket.destroy()
      })
    } else response.end(answer.body)
  }

  async function takeEffect(request: IncomingMessage, address: URL, body: Uint8Array): Promise<Answer> {
    const release = await turns.acquire()
    try {
      return await takeEffectNow(request, address, body)
    } finally {
      release()
    }
  }

  async function takeEffectNow(
    request: IncomingMessage,
    { searchParams }: URL,
    body: Uint8Array,
  ): Promise<Answer> {
    const uploadId = searchParams.get('uploadId')
    const isKnown =
      uploadId === null || (await stat(join(uploads, uploadId)).catch(() => undefined)) !== undefined
    if (!isKnown) return toAnswer(404, errorXml('NoSuchUpload'))
    const isList = request.method === 'GET' && searchParams.has('list-type')
    if (isList && searchParams.has('continuation-token')) return listPage(searchParams)
    const answer = await forward(request, innerPort, body)
    if (isList && answer.status === 500) return listPage(searchParams)
    if (request.method === 'DELETE' && uploadId !== null) {
      await rm(join(uploads, uploadId), { recursive: true })
      return toAnswer(204, '')
    }
    if (request.method !== 'GET' || answer.status === 403) return answer
    if (searchParams.has('list-type') && isTruncated) {
      return toAnswer(200, String(answer.body).replace('<IsTruncated>false', '<IsTruncated>true'))
    }
    if (!searchParams.has('uploads')) return answer
    return toAnswer(200, await uploadsXml())
  }

  /** A page of a longer list. s3rver lists by pages in the older form only: its tokens need a cipher that OpenSSL 3 lacks. */
  async function listPage(searchParams: URLSearchParams): Promise<Answer> {
    const [prefix, marker] = [searchParams.get('prefix') ?? '', searchParams.get('continuation-token') ?? '']
    const query = new URLSearchParams({ prefix, marker, 'max-keys': searchParams.get('max-keys') ?? '1000' })
    const response = await fetch(`http://127.0.0.1:${innerPort}/${BUCKET}?${query}`)
    const xml = await response.text()
    const last = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].at(-1)?.[1]
    const isTruncated = xml.includes('<IsTruncated>true</IsTruncated>')
    const token = isTruncated ? `<NextContinuationToken>${last}</NextContinuationToken>` : ''
    return toAnswer(response.status, xml.replace('</ListBucketResult>', `${token}</ListBucketResult>`))
  }

  async function uploadsXml(): Promise<string> {
    const names = await readdir(uploads).catch(() => [])
    const items = names.map(async (name) => {
      const [key, { mtime }] = await Promise.all([
        readFile(join(uploads, name, 'key'), 'utf8'),
        stat(join(uploads, name, 'key')),
      ])
      return `<Upload><Key>${key}</Key><UploadId>${name}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`
    })
    return `<ListMultipartUploadsResult>${(await Promise.all(items)).join('')}<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`
  }

  const server = createServer((request, response) => {
    request.on('error', () => {})
    handle(request, response).catch(() => request.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: BUCKET,
    keys: KEYS,
    requests,
    onRequest(next) {
      choose = next
    },
    async listUploads(prefix) {
      const names = await readdir(uploads).catch(() => [])
      const keys = await Promise.all(names.map((name) => readFile(join(uploads, name, 'key'), 'utf8')))
      return names.filter((_, i) => keys[i]!.startsWith(prefix))
    },
    async makeUploadOld(upload) {
      const time = Date.now() / 1000 - 7 * 24 * 60 * 60
      await utimes(join(uploads, upload, 'key'), time, time)
    },
    pathOf: (key) => join(folder, BUCKET, `${key}._S3rver_object`),
    async close() {
      server.closeAllConnections()
      server.close()
      store.httpServer.closeAllConnections()
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const toAnswer = (status: number, xml: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(xml),
})

const errorXml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`

function refuse(
  response: ServerResponse,
  { status, code, retryAfter }: { status: number; code: string; retryAfter?: number },
): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  response.writeHead(status, { 'content-type': 'application/xml' }).end(errorXml(code))
}

async function forward(
  { method, url, headers }: IncomingMessage,
  port: number,
  body: Uint8Array,
): Promise<Answer> {
  const sent = requestHttp({ host: '127.0.0.1', port, path: url, method, headers, agent: false })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks = await Array.fromAsync(answer as AsyncIterable<Uint8Array>)
  const { connection: _, 'transfer-encoding': __, ...kept } = answer.headers
  return { status: answer.statusCode!, headers: kept, body: Buffer.concat(chunks) }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
