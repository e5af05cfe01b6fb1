import { MAX_UPLOAD_BYTES } from '@meadow/contract/web'
import { type Attack, type AttackTarget, scaled, Tally } from './attack.ts'
import { openConnections, waitUntil } from './connections.ts'
import { uploadPath } from './teams.ts'

const DRIP_MS = 200

interface SlowSender {
  name: string
  connections: number
  /** Fewer would be no attack. */
  least?: number
  /** Sent at once. */
  head(target: AttackTarget): string
  /** Sent byte by byte, a byte now and then; left out: nothing more comes. */
  drip?: string
}

/** Connections that begin a request and do not get on with it. Those that the server closes come again. */
const slowSender = ({ name, connections, least = 1, head, drip }: SlowSender): Attack => ({
  family: 'slow senders',
  name: `${connections} ${name}`,
  async run(target, strength) {
    const tally = new Tally()
    const deadline = performance.now() + strength.durationMs
    const wanted = Math.max(least, scaled(connections, strength))
    let open: Awaited<ReturnType<typeof openConnections>> = []
    let at = 0
    while (performance.now() < deadline) {
      open = open.filter(({ destroyed }) => !destroyed)
      const opened = await openConnections(target, tally, wanted - open.length, 'all')
      for (const socket of opened) {
        tally.sent++
        socket.write(head(target))
      }
      open.push(...opened)
      if (drip !== undefined) for (const socket of open) socket.write(drip[at % drip.length]!)
      at++
      await waitUntil(() => false, Math.min(deadline, performance.now() + DRIP_MS))
    }
    for (const socket of open) socket.destroy()
    return tally
  },
})

const uploadHead = (target: AttackTarget): string =>
  `POST ${uploadPath(target.teams.attacker, 'slow.gh')} HTTP/1.1\r\nhost: 127.0.0.1\r\n` +
  `cookie: ${target.teams.attacker.cookie}\r\ncontent-type: application/octet-stream\r\n` +
  `content-length: ${MAX_UPLOAD_BYTES}\r\n\r\n`

const JSON_HEAD =
  'POST /app/v1/sign-in HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n'

export const slowSenders: readonly Attack[] = [
  slowSender({ name: 'silent uploads of one member', connections: 64, least: 40, head: uploadHead }),
  slowSender({
    name: 'dripping uploads of one member',
    connections: 64,
    least: 40,
    head: uploadHead,
    drip: 'PK',
  }),
  slowSender({
    name: 'requests whose headers drip',
    connections: 400,
    head: () => 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ',
    drip: 'slow',
  }),
  slowSender({
    name: 'JSON bodies that drip',
    connections: 400,
    head: () => JSON_HEAD,
    drip: ' ',
  }),
]
