import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd, type TestScope } from '../../../testing/at-end.ts'
import { hasComponent, solveDefinition, type TestAnswer, type TestScripts } from './compute-solver.ts'

/*
 * Our own Rhino.Compute server for tests, over HTTP: `POST /grasshopper` and `POST /io` as the public source of
 * mcneel/compute.rhino3d (October 2024) has them, with the key of its proxy. It is not Rhino.Compute.
 */

/** What the server does in place of answering, for the next requests to `/grasshopper`. */
export type Misbehaviour =
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** Closes the connection before, or in the middle of, the answer. */
  | { kind: 'lose'; when: 'before' | 'within' }
  | { kind: 'delay'; ms: number }
  /** Sends an answer that never ends. */
  | { kind: 'flood' }

export interface TestComputeServer {
  url: string
  /** What was posted to `/grasshopper`, without the definition, and what the headers said. */
  requests: { body: Record<string, unknown>; key: string | undefined; definition: Buffer }[]
  /** The classes that were asked for. */
  asked: string[]
  /** Consumed from the front, one for each request to `/grasshopper`. */
  misbehaviours: Misbehaviour[]
  /** How many connections are open. */
  open(): number
}

interface Options {
  scripts?: TestScripts
  key?: string
  /** Changes each answer, as another version of the server might. */
  alter?: (answer: TestAnswer['body']) => void
}

/** Listens on a free port of this machine until the test ends. */
export async function startComputeServer(
  t: TestScope,
  { scripts = {}, key, alter }: Options = {},
): Promise<TestComputeServer> {
  const server = createServer((request, response) => void handle(request, response))
  const connections = new Set<object>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const state: TestComputeServer = {
    url: '',
    requests: [],
    asked: [],
    misbehaviours: [],
    open: () => connections.size,
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const posted = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const sentKey = request.headers.rhinocomputekey
    if (key !== undefined && sentKey !== key) {
      response
        .writeHead(401)
        .end(sentKey === undefined ? 'Api Key was not provided.' : 'Unauthorized client.')
      return
    }
    const body = JSON.parse(posted)
    if (request.method === 'POST' && request.url === '/io') return answerIo(body.pointer, response)
    if (request.method !== 'POST' || request.url !== '/grasshopper') return void response.writeHead(404).end()
    const { algo, ...rest } = body
    const definition = Buffer.from(algo, 'base64')
    state.requests.push({ body: rest, key: sentKey as string | undefined, definition })
    const misbehaviour = state.misbehaviours.shift()
    if (misbehaviour && (await misbehave(misbehaviour, request, response))) return
    const { status, body: answer } = solveDefinition(definition, scripts)
    alter?.(answer)
    // The proxy of Rhino.Compute does not pass the content type on.
    response.writeHead(status).end(JSON.stringify(answer))
  }

  function answerIo(pointer: string, response: ServerResponse): void {
    state.asked.push(pointer)
    if (!hasComponent(pointer, scripts)) return void response.writeHead(500).end()
    response.writeHead(200).end(JSON.stringify({ Description: '', InputNames: [], OutputNames: [] }))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}

/** Whether the request is done with. */
async function misbehave(
  misbehaviour: Misbehaviour,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  switch (misbehaviour.kind) {
    case 'status':
      response.writeHead(misbehaviour.status, misbehaviour.headers).end(misbehaviour.body ?? '')
      return true
    case 'lose':
      if (misbehaviour.when === 'within') {
        response.writeHead(200).write('{"values":[{"ParamName":"')
        await sleep(20)
      }
      request.socket.destroy()
      return true
    case 'delay':
      await sleep(misbehaviour.ms, undefined, { ref: false })
      return false
    case 'flood': {
      response.writeHead(200)
      const chunk = Buffer.alloc(64 * 1024, ' ')
      while (!response.destroyed) {
        if (!response.write(chunk))
          await Promise.race([new Promise((resolve) => response.once('drain', resolve)), sleep(100)])
      }
      return true
    }
  }
}
