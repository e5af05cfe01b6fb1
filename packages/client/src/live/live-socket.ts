/** What is to be known of the messages of a socket, in the order in which they are really sent and received. */
export interface SocketTap {
  connected(): void
  /** Called before a message is sent: whether it may be. */
  sends(message: Uint8Array): boolean
  received(message: Uint8Array): void
}

/** Node's own WebSocket takes headers; a browser's has none to give, and sends its cookies by itself. */
type SocketOptions = { headers: Record<string, string> } | undefined

/** The class of sockets that the provider makes: those of the platform, with a cookie where there is one to send. */
export function createSocketClass(tap: SocketTap, cookie: string | undefined): typeof WebSocket {
  const options: SocketOptions = cookie === undefined ? undefined : { headers: { cookie } }
  return class LiveSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, options as never)
      tap.connected()
      this.addEventListener('message', ({ data }) => {
        if (data instanceof ArrayBuffer) tap.received(new Uint8Array(data))
      })
    }

    override send(data: Uint8Array<ArrayBuffer>): void {
      if (tap.sends(data)) super.send(data)
    }
  }
}
