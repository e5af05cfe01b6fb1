import { openLive } from '@meadow/client/live'
import { API_PREFIX } from '@meadow/contract/terms'
import { APP_PREFIX } from '@meadow/contract/web'
import type { Database } from '@meadow/server/src/platform/database/database.ts'
import type { Finished } from '@meadow/server/src/testing/run-here.ts'
import type { WebhookReceiver } from '@meadow/server/src/testing/webhook-receiver.ts'
import type { Host } from './host/hosts.ts'
import type { Place } from './place.ts'

/** A team, and people who use it: what every operation begins with. */
export interface Given {
  teamId: string
  /** The id of the root folder. */
  folderId: string
  cookie: string
  /** The secret of a token. */
  secret: string
  /** The id of a document that the operation is about. */
  documentId: string
}

export interface Answer {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: operations look into bodies of every shape.
  json: any
}

/** A service, as those see it who use and operate it. */
export interface World {
  readonly place: Place
  readonly given: Given
  readonly database: Database
  readonly receiver: WebhookReceiver
  /** What the user remembers of the steps before, such as the secret of a token. */
  readonly memory: Map<string, string>
  /** Sends a request of the web app. Rejects when there is no answer, or not the status. */
  app(method: string, path: string, status: number, body?: object | Uint8Array): Promise<Answer>
  /** Reads from the API. */
  api(path: string, secret?: string): Promise<Answer>
  /** Runs a command of the operator, which has to succeed. */
  command(...args: string[]): Promise<Finished>
  /** Empties the database and the data folder. */
  startOver(): Promise<void>
  /** Opens a document for editing. */
  open(documentId: string): ReturnType<typeof openLive>
}

/** No answer takes so long but one that does not come. */
const PATIENCE_MS = 8000

export interface WorldParts
  extends Pick<World, 'place' | 'given' | 'database' | 'receiver' | 'memory' | 'startOver'> {
  host: Host
  /** The address of the server; empty where none runs. */
  address: string
}

export function createWorld({ host, address, ...parts }: WorldParts): World {
  const { given, place } = parts
  async function send(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(address + path, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, text, json: isJson && text ? JSON.parse(text) : undefined }
  }
  return {
    ...parts,
    async app(method, path, status, body) {
      const isBytes = body instanceof Uint8Array
      const type = isBytes ? 'application/octet-stream' : 'application/json'
      const answer = await send(APP_PREFIX + path, {
        method,
        headers: { cookie: given.cookie, ...(body && { 'content-type': type }) },
        ...(body && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
      })
      if (answer.status === status) return answer
      throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text.slice(0, 200)}`)
    },
    api: (path, secret = given.secret) =>
      send(API_PREFIX + path, { headers: { authorization: `Bearer ${secret}` } }),
    async command(...args) {
      const finished = await host.call.command(args, place.env)
      if (finished.code === 0) return finished
      throw new Error(`meadow-server ${args.join(' ')} ended with ${finished.code}: ${finished.stderr}`)
    },
    open: (documentId) => openLive({ address, documentId, cookie: given.cookie, timeoutMs: PATIENCE_MS }),
  }
}

/** Replaces ids and times by `#`, since they differ from run to run. */
export const withoutIds = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '#')
    .replaceAll(/\b(doc|ver|sol|tok|msg|bin|fil)_[0-9a-z]+/g, '#')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '#')
