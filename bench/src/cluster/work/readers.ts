import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { API_PREFIX } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import type { HttpRequest, HttpResponse } from '../../harness/request.ts'
import type { NamedServer } from '../parts/cluster.ts'
import { readEdits } from './editors.ts'
import { pause, send, sendUntilAnswered } from './requests.ts'
import type { Work } from './work.ts'

/** A resource that never changes, and its body. */
interface Unchanged {
  request: HttpRequest
  body: Buffer
}

const READ_MS = 20
const NOT_MODIFIED = 304
const ENCODINGS = ['identity', 'gzip', 'br', 'zstd'] as const

/** Decodes a body by its `Content-Encoding`. Throws when the bytes are not complete. */
function decode({ headers, body }: HttpResponse): Buffer {
  switch (headers['content-encoding']) {
    case undefined:
      return body
    case 'gzip':
      return gunzipSync(body)
    case 'br':
      return brotliDecompressSync(body)
    case 'zstd':
      return zstdDecompressSync(body)
    default:
      throw new Error(`The encoding ${headers['content-encoding']} was not asked for.`)
  }
}

/** Reads resources that never change, from every process, until the work ends, and compares the bytes. */
export async function readUnchanged(work: Work): Promise<void> {
  const { servers, balancer, random, ledger, signal } = work
  const known = await findUnchanged(work)
  while (!signal.aborted) {
    const { request, body } = random.pick(known)
    const server = random.pick([...servers, balancer])
    const encoding = random.pick(ENCODINGS)
    const headers = { ...request.headers, 'accept-encoding': encoding }
    const response = await send(server, { ...request, headers }, ledger)
    if (response) compare(work, server, request.path, response, body)
    await pause(READ_MS, signal)
  }
}

/**
 * Finds the resources that never change, with the bodies that the first server sends, which all others have to send
 * too.
 */
async function findUnchanged({ team, servers, ledger, signal }: Work): Promise<Unchanged[]> {
  const authorization = `Bearer ${team.token}`
  const requests: HttpRequest[] = team.unchanged.flatMap((id) => [
    { path: `${API_PREFIX}/documents/${id}`, headers: { authorization } },
    { path: `${API_PREFIX}/documents/${id}/solution`, headers: { authorization } },
    { path: `${APP_PREFIX}/documents/${id}/graph`, headers: { cookie: team.owner.cookie } },
  ])
  requests.push({ path: `${API_PREFIX}/team`, headers: { authorization } })
  const found: Unchanged[] = []
  for (const request of requests) {
    const response = await sendUntilAnswered(() => servers[0]!, request, ledger, signal)
    if (response?.status === 200) found.push({ request, body: response.body })
    else if (response) throw new Error(`${request.path} answered ${response.status}: ${response.body}`)
  }
  for (const id of team.unchanged) {
    const path = `${API_PREFIX}/documents/${id}/export?format=.gh`
    const made = await sendUntilAnswered(
      () => servers[0]!,
      { path, headers: { authorization } },
      ledger,
      signal,
    )
    if (!made) continue
    const { url } = JSON.parse(made.body.toString()).export
    const { pathname, search } = new URL(url)
    const link = { path: pathname + search }
    const file = await sendUntilAnswered(() => servers[0]!, link, ledger, signal)
    if (file?.status === 200) found.push({ request: link, body: file.body })
    else if (file) throw new Error(`${link.path} answered ${file.status}: ${file.body}`)
  }
  return found
}

function compare(
  { ledger }: Work,
  { name }: NamedServer,
  path: string,
  response: HttpResponse,
  body: Buffer,
): void {
  const where = `${name}: ${path}`
  if (response.status !== 200) {
    ledger.violate('wrong bodies', `${where} answered ${response.status}: ${response.body.subarray(0, 200)}`)
    return
  }
  try {
    const decoded = decode(response)
    ledger.noteBody(name, path, response, decoded)
    if (!decoded.equals(body)) ledger.violate('wrong bodies', `${where} has other bytes than at first.`)
  } catch (error) {
    ledger.violate('wrong bodies', `${where} cannot be decoded: ${(error as Error).message}`)
  }
}

/**
 * Reads documents while they are edited, each from two processes at once, until the work ends. A response contains all
 * edits that were acknowledged, or contained in another response, before the request was sent.
 */
export async function readEdited(work: Work): Promise<void> {
  const { team, servers, balancer, random, signal } = work
  const documents = [...team.alone, team.shared, team.guests]
  while (!signal.aborted) {
    const { id } = random.pick(documents)
    const pair = [random.pick(servers), random.pick([...servers, balancer])]
    await Promise.all(pair.map((server) => readOne(work, server, id)))
    await pause(READ_MS, signal)
  }
}

/**
 * Reads an edited document from one server, and compares it with what was promised; sometimes by asking whether the last
 * body is still current. Resolves with false when the request failed.
 */
export async function readOne(work: Work, server: NamedServer, id: string): Promise<boolean> {
  const { team, ledger, random } = work
  const path = `${API_PREFIX}/documents/${id}`
  const promised = ledger.promised(id)
  const kept = random.whole(1, 2) === 1 ? ledger.latest(path) : undefined
  const headers = {
    authorization: `Bearer ${team.token}`,
    'accept-encoding': kept?.encoding ?? random.pick(ENCODINGS),
    ...(kept && { 'if-none-match': kept.etag }),
  }
  const response = await send(server, { path, headers }, ledger)
  if (!response) return false
  const isKept = kept !== undefined && response.status === NOT_MODIFIED
  if (response.status !== 200 && !isKept) {
    ledger.violate('wrong bodies', `${server.name}: ${path} answered ${response.status}: ${response.body}`)
    return true
  }
  try {
    const decoded = isKept ? kept.decoded : decode(response)
    if (!isKept) ledger.noteBody(server.name, path, response, decoded)
    const { document } = JSON.parse(decoded.toString())
    ledger.noteEdits(server.name, id, readEdits(document), promised)
  } catch (error) {
    ledger.violate('wrong bodies', `${server.name}: ${path} cannot be read: ${(error as Error).message}`)
  }
  return true
}
