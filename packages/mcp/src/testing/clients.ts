import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as PreviousClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as PreviousStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as PreviousHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { atEnd, type TestScope } from '../../../../apps/server/src/testing/at-end.ts'

/** What the tests use of a client, whichever it is. */
export interface TestClient {
  call(name: string, args?: object): Promise<{ text: string; isError: boolean }>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  list(what: 'tools' | 'resources' | 'templates'): Promise<any[]>
  read(uri: string): Promise<{ text: string; mimeType?: string }>
  instructions(): string | undefined
  capabilities(): object | undefined
}

/** How to start a server over standard input and output. */
export interface ServerProcess {
  command: string
  args: string[]
  env: Record<string, string>
}

export interface TestClientKind {
  name: string
  overHttp(t: TestScope, url: string, token?: string): Promise<TestClient>
  overStdio(t: TestScope, server: ServerProcess): Promise<TestClient>
}

const INFO = { name: 'test', version: '1.0.0' }
const headersOf = (token?: string): { headers: Record<string, string> } => ({
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
})

async function openCurrent(t: TestScope, transport: Parameters<Client['connect']>[0]) {
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(transport)
  atEnd(t, () => client.close())
  return wrap(client)
}

async function openPrevious(t: TestScope, transport: Transport) {
  const client = new PreviousClient(INFO)
  await client.connect(transport)
  atEnd(t, () => client.close())
  return wrap(client)
}

/** Clients of the current version of the protocol and of the one before, each of a code base of its own. */
export const CLIENTS: readonly [TestClientKind, TestClientKind] = [
  {
    name: 'a client of 2026-07-28',
    overHttp: (t, url, token) =>
      openCurrent(t, new StreamableHTTPClientTransport(new URL(url), { requestInit: headersOf(token) })),
    overStdio: (t, server) => openCurrent(t, new StdioClientTransport({ ...server, stderr: 'inherit' })),
  },
  {
    name: 'a client of 2025-11-25',
    overHttp: (t, url, token) =>
      // Its own declaration lacks `undefined` where the interface has it.
      openPrevious(
        t,
        new PreviousHttpTransport(new URL(url), { requestInit: headersOf(token) }) as Transport,
      ),
    overStdio: (t, server) => openPrevious(t, new PreviousStdioTransport({ ...server, stderr: 'inherit' })),
  },
]

function wrap(client: Client | PreviousClient): TestClient {
  return {
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: { ...args } })
      const [content] = result.content as { text: string }[]
      return { text: content!.text, isError: result.isError === true }
    },
    async list(what) {
      const has = client.getServerCapabilities() ?? {}
      // Without the capability a client asks for nothing.
      if (what === 'tools' ? !has.tools : !has.resources) return []
      if (what === 'tools') return (await client.listTools()).tools
      if (what === 'resources') return (await client.listResources()).resources
      return (await client.listResourceTemplates()).resourceTemplates
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri })
      return contents[0] as { text: string; mimeType?: string }
    },
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
  }
}
