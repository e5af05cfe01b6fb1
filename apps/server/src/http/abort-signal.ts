import type { Exchange } from './exchange.ts'

/** The client closed the connection before it had the whole response. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'

  constructor() {
    super('The client closed the connection.')
  }
}

/** A signal that aborts with {@link ClientDisconnected} when the client of this request has closed the connection. */
export function createDisconnectSignal({ request, response }: RequestAndResponse): AbortSignal {
  const disconnected = new AbortController()
  const abort = () => disconnected.abort(new ClientDisconnected())
  const { socket } = request
  if (socket.destroyed) abort()
  socket.once('close', abort)
  response.once('close', () => socket.off('close', abort))
  return disconnected.signal
}

/** A signal that aborts when the client of this request has closed the connection, or when the server stops. */
export const createAbortSignal = (stopping: AbortSignal, exchange: RequestAndResponse): AbortSignal =>
  AbortSignal.any([stopping, createDisconnectSignal(exchange)])

type RequestAndResponse = Pick<Exchange, 'request' | 'response'>
