import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { atEnd, type TestScope } from './at-end.ts'

/** The file with the certificate of https servers at 127.0.0.1, which was made for the tests and trusts itself. */
export const LOCAL_CERTIFICATE = fileURLToPath(new URL('./local-certificate.pem', import.meta.url))

const KEY = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZC8YqnrtKYd+6ikRbHad4kPazABCQMCd' +
      'rALs3y9hxouhRANCAAR2tYjEZLm2zRpMCwXzh3OoQClJ37LgoDZOu7Lj01/DB1R86ccSsmE1TPk0UtBA3uymhEll9e2XjHrmnReqZa5+',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
})

/** Where a program that gets its answer in a browser says what it is. */
export interface ClientDocuments {
  /** The address of its document: its `client_id`. */
  id: string
  /** What the document says; another answer can take its place. */
  document: Record<string, unknown>
  answer: RequestListener
  /** How often something was asked for. */
  readonly requests: number
}

/** A real https server with the document of a program that gets its answer at `redirectUris`. */
export async function startClientDocument(
  t: TestScope,
  redirectUris: readonly string[],
): Promise<ClientDocuments> {
  let requests = 0
  const cert = readFileSync(LOCAL_CERTIFICATE, 'utf8')
  const server = createServer(
    { key: KEY.export({ format: 'pem', type: 'pkcs8' }), cert },
    (request, response) => {
      requests++
      documents.answer(request, response)
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, async () => {
    server.closeAllConnections()
    await server[Symbol.asyncDispose]()
  })
  const id = `https://127.0.0.1:${(server.address() as AddressInfo).port}/oauth/client.json`
  const documents: ClientDocuments = {
    id,
    document: { client_id: id, client_name: 'Assistant', redirect_uris: redirectUris },
    answer: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(documents.document))
    },
    get requests() {
      return requests
    },
  }
  return documents
}

/** Makes this process trust the certificate of those servers, until the test ends. */
export function trustClientDocuments(t: TestScope): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, readFileSync(LOCAL_CERTIFICATE, 'utf8')])
  atEnd(t, () => setDefaultCACertificates(before))
}
