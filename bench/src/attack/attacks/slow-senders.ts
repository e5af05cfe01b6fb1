import { MAX_UPLOAD_BYTES } from '@meadow/contract/web'
import { uploadPath } from '../teams/teams.ts'
import { type Attack, type AttackTarget, scaled, Tally } from './attack.ts'
import { openConnections, waitUntil } from './connections.ts'

const DRIP_MS = 200

interface SlowSender {
  name: string
  connections: number
  /** The minimum number of connections, below which it is not an attack. */
  min?: number
  /** Returns the text that is sent immediately. */
  head(target: AttackTarget): string
  /** The text that is sent slowly, byte by byte; omitted: nothing more is sent. */
  drip?: string
}

/** Opens connections that start a request and do not complete it. Closed ones are opened again. */
const slowSender = ({ name, connections, min = 1, head, drip }: SlowSender): Attack => ({
  family: 'slow senders',
  name: `${connections} ${name}`,
  async run(target, strength) {
    const tally = new Tally()
    const deadline = performance.now() + strength.durationMs
    const count = Math.max(min, scaled(connections, strength))
    let open: Awaited<ReturnType<typeof openConnections>> = []
    let step = 0
    while (performance.now() < deadline) {
      open = open.filter(({ destroyed }) => !destroyed)
      const opened = await openConnections(target, tally, count - open.length, 'all')
      for (const socket of opened) {
        tally.sent++
        socket.write(head(target))
      }
      open.push(...opened)
      if (drip !== undefined) for (const socket of open) socket.write(drip[step % drip.length]!)
      step++
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
  slowSender({ name: 'silent uploads of one member', connections: 64, min: 40, head: uploadHead }),
  slowSender({
    name: 'dripping uploads of one member',
    connections: 64,
    min: 40,
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
