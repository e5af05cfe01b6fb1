import { readWhole, UsageFailure } from '@meadow/command'
import type { Command, CommandContext } from '../command-context.ts'
import { readUrl } from '../config/connection.ts'
import { reportError } from '../failure.ts'

interface McpOptions {
  http?: true
  host: string
  port: number
  allowHost: string[]
  publicUrl?: string
  shareToken?: true
}

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 4001

/** `meadow mcp` runs a server of the Model Context Protocol, for agents. */
export const mcpCommand: Command = {
  name: 'mcp',
  description:
    "Serve the team's documents and values to an AI agent by the Model Context Protocol: over stdin and stdout to " +
    'the program that starts this, or over HTTP.',
  options: {
    '--http':
      'Serve over HTTP, at /mcp. Each request needs an API token of its own, which clients get when their person ' +
      'signs in to the service.',
    '--host <host>': { says: 'Where to listen.', default: DEFAULT_HOST },
    '--port <port>': {
      says: 'The port; 0 for any that is free.',
      read: readWhole(0, 65_535),
      default: DEFAULT_PORT,
    },
    '--allow-host <name>': {
      says: 'A name under which clients reach it; may be repeated.',
      read: collect,
      default: [],
    },
    '--public-url <url>': {
      says: 'The address under which clients reach it through a proxy, such as https://mcp.example.org/mcp.',
      read: readPublicUrl,
    },
    '--share-token': 'Use the token of the profile for requests without one. On a loopback address only.',
  },
  examples: ['meadow mcp', 'meadow mcp --http --port 4001', 'claude mcp add meadow -- meadow mcp'],
  run: serveMcp,
}

async function serveMcp(context: CommandContext, options: McpOptions): Promise<void> {
  const { output, signal, stdin } = context
  const report = (error: unknown) => output.warning(reportError(error).error)
  const mcp = await import('@meadow/mcp')
  if (!options.http) {
    const given = options.shareToken || options.allowHost.length > 0 || options.publicUrl
    if (given) throw new UsageFailure('--share-token, --allow-host and --public-url are for --http.')
    const { url, token } = await context.connect()
    const server = mcp.serveMcpOverStdio({ baseUrl: url, token, report })
    await untilStopped(signal, server.closed)
    await server.close()
    stdin.destroy()
    return
  }
  const { url, token } = await findService(context, options)
  const server = await mcp.serveMcpOverHttp({
    baseUrl: url,
    ...(options.shareToken && { sharedToken: token }),
    ...{ host: options.host, port: options.port, allowedHosts: options.allowHost },
    ...{ publicUrl: options.publicUrl, report },
  })
  await output.data({ url: server.url }, () => `MCP is served at ${server.url}. Ctrl-C stops it.`)
  await untilStopped(signal)
  await server.close()
}

/** Finds the service to use. Callers bring their own tokens, so without a shared one only the address is needed. */
async function findService(
  { connect, options, env }: CommandContext,
  { shareToken }: McpOptions,
): Promise<{ url: string; token?: string }> {
  const url = options.url ?? env.MEADOW_URL
  if (!shareToken && url && options.profile === undefined) return { url: readUrl(url) }
  return connect()
}

/** Resolves when the command is stopped, which is how this command usually ends, or when `other` resolves. */
async function untilStopped(signal: AbortSignal, other?: Promise<unknown>): Promise<void> {
  if (signal.aborted) return
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  // A socket of the server keeps the process alive; so does stdin.
  await Promise.race(other ? [stopped, other] : [stopped])
}

function readPublicUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageFailure('The public address must be one such as https://mcp.example.org/mcp.')
  return url.href
}

function collect(text: string, before: readonly string[]): string[] {
  return [...before, text]
}
