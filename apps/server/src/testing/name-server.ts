import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { atEnd, type TestScope } from './at-end.ts'

const [A, AAAA] = [1, 28]

/**
 * A name server on this machine. `answer` gives the addresses of a name, anew for each question; none: there is no such
 * name. Returns what `Resolver.setServers` takes.
 */
export async function startNameServer(
  t: TestScope,
  answer: (name: string, version: 4 | 6) => readonly string[],
): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, client) => {
    const { name, end } = readName(query)
    const type = query.readUInt16BE(end)
    const addresses = type === A ? answer(name, 4) : type === AAAA ? answer(name, 6) : []
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(addresses.length, 6)
    const records = addresses.map((address) => {
      const bytes = type === A ? Buffer.from(address.split('.').map(Number)) : toBytes(address)
      const head = Buffer.alloc(12)
      head.writeUInt16BE(0xc00c, 0)
      head.writeUInt16BE(type, 2)
      head.writeUInt16BE(1, 4)
      head.writeUInt16BE(bytes.length, 10)
      return Buffer.concat([head, bytes])
    })
    const question = query.subarray(12, end + 4)
    socket.send(Buffer.concat([header, question, ...records]), client.port, client.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(t, () => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** Of an address with all eight parts. */
const toBytes = (address: string): Buffer =>
  Buffer.from(
    address
      .split(':')
      .map((part) => part.padStart(4, '0'))
      .join(''),
    'hex',
  )
