import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { atEnd, type TestScope } from '../../../../apps/server/src/testing/at-end.ts'
import { load, withoutCheck } from '../../../../checks/load.ts'

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
  /** `auth`: an API token, or what gets one. */
  overHttp(t: TestScope, url: string, auth?: string | OAuthClientProvider): Promise<TestClient>
  /** Fetches a token with what the browser brought. */
  finishSignIn(url: string, provider: OAuthClientProvider, answer: URLSearchParams): Promise<void>
  overStdio(t: TestScope, server: ServerProcess): Promise<TestClient>
}

const INFO = { name: 'test', version: '1.0.0' }
const optionsOf = (auth?: string | OAuthClientProvider) => {
  if (typeof auth === 'object') return { authProvider: auth }
  const headers: Record<string, string> = auth === undefined ? {} : { authorization: `Bearer ${auth}` }
  return { requestInit: { headers } }
}

async function openCurrent(t: TestScope, transport: Parameters<Client['connect']>[0]) {
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(transport)
  atEnd(t, () => client.close())
  return wrap(client)
}

/** With a transport of a file of the previous version's library. */
async function openPrevious(t: TestScope, file: string, create: (transports: Transports) => object) {
  const { Client: PreviousClient } = await load(`${PREVIOUS}/client/index.js`)
  const transport = create(await load(`${PREVIOUS}/client/${file}.js`))
  const client: Client = new PreviousClient(INFO)
  await client.connect(transport as never)
  atEnd(t, () => client.close())
  return wrap(client)
}

/** The library of the previous version of the protocol, and what its files export. */
const PREVIOUS = '@modelcontextprotocol/sdk'
type Transports = Record<string, new (...options: unknown[]) => object>

const current: TestClientKind = {
  name: 'a client of 2026-07-28',
  overHttp: (t, url, auth) =>
    openCurrent(t, new StreamableHTTPClientTransport(new URL(url), optionsOf(auth))),
  finishSignIn: (url, authProvider, answer) =>
    new StreamableHTTPClientTransport(new URL(url), { authProvider }).finishAuth(answer),
  overStdio: (t, server) => openCurrent(t, new StdioClientTransport({ ...server, stderr: 'inherit' })),
}

const previous: TestClientKind = {
  name: 'a client of 2025-11-25',
  overHttp: (t, url, auth) =>
    openPrevious(
      t,
      'streamableHttp',
      ({ StreamableHTTPClientTransport: Transport }) => new Transport!(new URL(url), optionsOf(auth)),
    ),
  async finishSignIn(url, authProvider, answer) {
    const { StreamableHTTPClientTransport: Transport } = await load(`${PREVIOUS}/client/streamableHttp.js`)
    await new Transport(new URL(url), { authProvider }).finishAuth(answer.get('code'))
  },
  overStdio: (t, server) =>
    openPrevious(
      t,
      'stdio',
      ({ StdioClientTransport: Transport }) => new Transport!({ ...server, stderr: 'inherit' }),
    ),
}

/** Clients of the current version of the protocol and, where it is installed, of the one before, which share no code. */
export const CLIENTS: readonly [TestClientKind, ...TestClientKind[]] = [
  current,
  ...(withoutCheck(PREVIOUS) ? [] : [previous]),
]

/** What a client keeps while its person signs in. */
export interface SignIn {
  provider: OAuthClientProvider
  /** Where the client sent the browser of its person. */
  sentTo: URL | undefined
}

/** Signs in as the client whose document is at `id`, which gets its answer at `redirectUrl`. */
export function createSignIn(id: string, redirectUrl: string): SignIn {
  const kept: Record<string, unknown> = {}
  // biome-ignore lint/suspicious/noExplicitAny: each is given back as it came.
  const read = (name: string) => (): any => kept[name]
  const save = (name: string) => (value: unknown) => {
    kept[name] = value
  }
  const provider: OAuthClientProvider = {
    ...{ redirectUrl, clientMetadataUrl: id, state: () => 'the state' },
    clientMetadata: { client_name: 'Assistant', redirect_uris: [redirectUrl] },
    ...{ clientInformation: read('client'), saveClientInformation: save('client') },
    ...{ tokens: read('tokens'), saveTokens: save('tokens') },
    ...{ codeVerifier: read('verifier'), saveCodeVerifier: save('verifier') },
    ...{ discoveryState: read('discovery'), saveDiscoveryState: save('discovery') },
    redirectToAuthorization: (url) => {
      signIn.sentTo = url
    },
  }
  const signIn: SignIn = { provider, sentTo: undefined }
  return signIn
}

function wrap(client: Client): TestClient {
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
