import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { MeadowError } from '@meadow/client'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createConnections } from './connections.ts'
import { createServer, type Report } from './server.ts'

export interface StdioOptions {
  /** The address of the service. */
  baseUrl: string
  /** An API token. It determines the team, and its scopes the tools. */
  token: string
  /** Takes errors whose cause no caller sees. Standard output belongs to the protocol: write to standard error. */
  report: Report
}

export interface RunningStdio {
  /** Resolves when the client has closed standard input and has all answers, or when it is gone. */
  readonly closed: Promise<unknown>
  /** Stops at once. */
  close(): Promise<void>
}

/**
 * Serves the client that started this process, over standard input and output, until it closes standard input. Requests
 * that it sent before that are still answered. Throws `MeadowError` for an address or a token that cannot be one.
 */
export function serveMcpOverStdio({ baseUrl, token, report }: StdioOptions): RunningStdio {
  const { stdin, stdout } = process
  const connections = createConnections(baseUrl, token)
  // The transport drops running requests when its input ends, so its input ends only when everything is answered.
  const input = new PassThrough()
  const transport = new StdioServerTransport(input, stdout)
  const closed = once(input, 'close')
  const server = serveStdio(async () => createServer(await connections.open(token), report), {
    onerror: (error) => report(error.name === 'ZodError' ? new MeadowError(NO_MESSAGE) : error),
    transport,
    maxSubscriptions: 0,
  })
  const unanswered = watchRequests(transport, endIfDone, () => input.destroy())
  let hasEnded = false
  function endIfDone(): void {
    if (hasEnded && unanswered.size === 0) input.destroy()
  }
  stdin.pipe(input, { end: false })
  // A file or /dev/null ends and is never closed; a pipe that breaks is closed without having ended.
  for (const event of ['end', 'close'])
    stdin.once(event, () => {
      hasEnded = true
      // The last chunk that was read is still on its way through the pipe.
      setImmediate(endIfDone)
    })
  return {
    closed,
    async close() {
      await server.close()
      stdin.unpipe(input)
      input.destroy()
    },
  }
}

const NO_MESSAGE = 'Standard input has a line that is no message of JSON-RPC: it is left out.'

/**
 * Watches the requests that have no answer yet. Calls `onSettled` after each answer, and `onClosed` when no more can be
 * sent.
 */
function watchRequests(
  transport: StdioServerTransport,
  onSettled: () => void,
  onClosed: () => void,
): ReadonlySet<RequestId> {
  const unanswered = new Set<RequestId>()
  const { onmessage, onclose } = transport
  const send = transport.send.bind(transport)
  function settle(id: unknown): void {
    if (unanswered.delete(id as RequestId)) onSettled()
  }
  transport.onmessage = (message: JSONRPCMessage) => {
    if ('method' in message && 'id' in message) unanswered.add(message.id)
    // A request that is cancelled is not answered.
    else if ('method' in message && message.method === 'notifications/cancelled')
      settle(message.params?.requestId)
    onmessage?.(message)
  }
  transport.send = async (message) => {
    try {
      await send(message)
    } finally {
      if (!('method' in message)) settle(message.id)
    }
  }
  // The client does not read any more, or has sent a line that does not end.
  transport.onclose = () => {
    onclose?.()
    onClosed()
  }
  return unanswered
}
