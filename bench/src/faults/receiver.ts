import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A receiver of webhooks, which accepts everything. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** The messages, as `type name-of-the-document`. */
  readonly received: Set<string>
}

export async function openReceiver(): Promise<Receiver> {
  const received = new Set<string>()
  const server = createServer(async (request, response) => {
    const message = JSON.parse(await text(request).catch(() => 'null'))
    if (message) received.add(`${message.type} ${message.data.document?.name}`)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
