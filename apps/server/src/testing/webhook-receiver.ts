import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { atEnd, type TestScope } from './at-end.ts'

/** A message as a receiver gets it. */
export interface Received {
  id: string
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every type.
  message: any
  body: string
}

export interface WebhookReceiver {
  url: string
  port: number
  /** In the order of arrival, those that are answered with an error too. */
  received: Received[]
  /** Answers from now on; by default 204 to everything. */
  answer: RequestListener
}

/** A receiver of webhooks: a real HTTP server on this machine. */
export async function startWebhookReceiver(t: TestScope): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // A sender that was killed has not sent all of it.
    if (body === undefined) return
    receiver.received.push({
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      body,
      message: JSON.parse(body),
    })
    receiver.answer(request, response)
  })
  const receiver: WebhookReceiver = {
    ...{ url: '', port: 0, received: [] },
    answer: (_request, response) => void response.writeHead(204).end(),
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `http://127.0.0.1:${receiver.port}/hook`
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}

/** Verifies a message with the library of Standard Webhooks; throws when the secret did not sign it. */
export const verifyMessage = (secret: string, { body, headers }: Pick<Received, 'body' | 'headers'>): void =>
  void new Webhook(secret).verify(body, headers as Record<string, string>)
