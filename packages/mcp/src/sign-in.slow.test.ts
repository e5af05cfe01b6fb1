import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMeadowCommand } from '../../../apps/cli/src/testing/run-meadow.ts'
import {
  startClientDocument,
  trustClientDocuments,
} from '../../../apps/server/src/testing/client-document.ts'
import { startWebApp } from '../../../apps/server/src/testing/start-web-app.ts'
import { CLIENTS, createSignIn } from './testing/clients.ts'
import { startHttp } from './testing/start-mcp.ts'

const REDIRECT = 'https://assistant.example/callback'
const SCOPES = ['documents:read', 'folders:read', 'solutions:read', 'exports:read']

for (const kind of CLIENTS) {
  describe(`sign-in of ${kind.name}`, () => {
    test('[MCP-25] given an address alone, when the person of a client confirms it, then the client has the tools of the token that they chose, until it is revoked', async (t) => {
      trustClientDocuments(t)
      const app = await startWebApp(t, undefined, { MEADOW_OAUTH_ALLOW: '127.0.0.1' })
      const { id } = await startClientDocument(t, [REDIRECT])
      const { url } = await startHttp(t, app.address)
      const ann = await app.signIn('Ann', 'member')
      await app.fixtures.document(app.team, { name: 'Tower' })
      const signIn = createSignIn(id, REDIRECT)
      await assert.rejects(kind.overHttp(t, url, signIn.provider), /Unauthorized/)
      const { pathname, search, searchParams } = signIn.sentTo!
      assert.equal(searchParams.get('resource'), url)
      const sent = await app.request(pathname + search)
      assert.equal(sent.status, 303, sent.text)
      const code = new URL(sent.headers.get('location')!).searchParams.get('code')
      const { client } = (await ann.request('POST', '/device/look', { code })).json
      assert.deepEqual(client.scopes.toSorted(), SCOPES.toSorted())
      const token = { name: 'Assistant', scopes: ['documents:read'] }
      const { json } = await ann.request('POST', `/teams/${app.team.id}/device`, { code, token })
      await kind.finishSignIn(url, signIn.provider, new URL(json.redirect).searchParams)

      const assistant = await kind.overHttp(t, url, signIn.provider)
      assert.match((await assistant.call('search_documents')).text, /Tower/)
      const tools = (await assistant.list('tools')).map(({ name }) => name)
      assert.ok(tools.includes('outline_document') && !tools.includes('list_folder'))
      const [listed] = (await ann.get(`/teams/${app.team.id}/tokens`)).json.tokens
      await ann.request('DELETE', `/teams/${app.team.id}/tokens/${listed.id}`)
      const { text, isError } = await assistant.call('search_documents')
      assert.ok(isError && /revoked/.test(text), text)
    })
  })
}

test('[MCP-25] given an address behind a proxy, or another local name, then the metadata and the challenge name it, and the scopes of the tools', async (t) => {
  const { address } = await startWebApp(t)
  const publicUrl = 'https://mcp.example.org/meadow/mcp'
  const { url } = await startHttp(t, `${address}/`, { publicUrl })
  const read = (path: string) => fetch(new URL(path, url))
  const metadata = {
    resource: publicUrl,
    resource_name: 'Meadow',
    authorization_servers: [address],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
  }
  const path = '/.well-known/oauth-protected-resource'
  for (const each of [path, `${path}/mcp`, `${path}/meadow/mcp`])
    assert.deepEqual(await (await read(each)).json(), metadata)
  assert.equal((await read(`${path}/other`)).status, 404)
  const { headers } = await fetch(url, { method: 'POST' })
  const challenge = `Bearer realm="Meadow", resource_metadata="https://mcp.example.org${path}/meadow/mcp", scope="${SCOPES.join(' ')}"`
  assert.equal(headers.get('www-authenticate'), challenge)
  const local = await startHttp(t, address)
  const named = local.url.replace('127.0.0.1', 'localhost')
  const response = await fetch(new URL(`${path}/mcp`, named))
  assert.equal(((await response.json()) as { resource: string }).resource, named)
})

test('[MCP-25] given a public address that is none, or one without --http, then the command says so', async (t) => {
  const { runWith } = await createMeadowCommand(t)
  const env = { MEADOW_URL: 'http://127.0.0.1:1' }
  for (const [flags, sentence] of [
    [['--http', '--public-url', 'mcp.example.org'], /must be one such as https:\/\/mcp\.example\.org\/mcp/],
    [['--public-url', 'https://mcp.example.org/mcp'], /--public-url are for --http/],
  ] as const) {
    const { code, stderr } = await runWith({ env }, 'mcp', ...flags)
    assert.equal(code, 2)
    assert.match(stderr, sentence)
  }
})
