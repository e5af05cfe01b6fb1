import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { createReadMatcher } from './plain-reads.ts'

const isRead = createReadMatcher('')
const head = (line: string, ...fields: string[]) =>
  Buffer.from([line, 'Host: a', ...fields, '', ''].join('\r\n'), 'latin1')

for (const address of [
  '/api/v1/team',
  '/api/v1/folders/root',
  '/api/v1/folders/%2e%2e',
  '/api/v1/documents?q=a%20b&folderId=x',
  '/api/v1/documents/doc_1?x=/y?z',
])
  test(`[READ-2] given ${address}, when it is read, then a reader answers it`, () => {
    assert.equal(isRead(head(`GET ${address} HTTP/1.1`)), true)
    assert.equal(isRead(head(`HEAD ${address} HTTP/1.1`, 'Connection: close', 'X: ü')), true)
    assert.equal(createReadMatcher('/m.w')(head(`GET /m.w${address} HTTP/1.1`)), true)
  })

const READ = head('GET /api/v1/team HTTP/1.1')
const OTHERS: Record<string, Buffer> = {
  'another method': head('POST /api/v1/team HTTP/1.1'),
  'a method in lower case': head('get /api/v1/team HTTP/1.1'),
  'another address': head('GET /api/v1/documents/doc_1/solution HTTP/1.1'),
  'an address that is written in another way': head('GET /%61pi/v1/team HTTP/1.1'),
  'a whole address': head('GET http://a/api/v1/team HTTP/1.1'),
  'an address outside of the prefix': head('GET /api/v1x/team HTTP/1.1'),
  'a fragment': head('GET /api/v1/team#x HTTP/1.1'),
  'HTTP/1.0': head('GET /api/v1/team HTTP/1.0'),
  'no headers': Buffer.from('GET /api/v1/team HTTP/1.1\r\n\r\n'),
  'a body': head('GET /api/v1/team HTTP/1.1', 'content-LENGTH: 3'),
  'a body in chunks': head('GET /api/v1/team HTTP/1.1', 'Transfer-Encoding: chunked'),
  'an upgrade': head('GET /api/v1/team HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'),
  'an expectation': head('GET /api/v1/team HTTP/1.1', 'Expect: 100-continue'),
  'a folded header': head('GET /api/v1/team HTTP/1.1', 'X: a', ' b'),
  'a space before the colon': head('GET /api/v1/team HTTP/1.1', 'Content-Length : 3'),
  'lines that end with a line feed': Buffer.from('GET /api/v1/team HTTP/1.1\nHost: a\n\n'),
  'a carriage return within a line': head('GET /api/v1/team HTTP/1.1', 'X: a\rContent-Length: 3'),
  'a part of a request': READ.subarray(0, -1),
  'two requests': Buffer.concat([READ, READ]),
  'a request and the beginning of another': Buffer.concat([READ, READ.subarray(0, 9)]),
  'a very long head': head('GET /api/v1/team HTTP/1.1', `X: ${'x'.repeat(9000)}`),
}
for (const [what, bytes] of Object.entries(OTHERS))
  test(`[READ-2] given ${what}, when it is received, then a reader does not answer it`, () => {
    assert.equal(isRead(bytes), false)
  })

/** The requests that Node's parser finds in the bytes, whether they are complete or not. */
function parse(bytes: Buffer): IncomingMessage[] {
  const requests: IncomingMessage[] = []
  const server = createServer({ requireHostHeader: false }, (request) => requests.push(request))
  server.on('clientError', () => {})
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  server.emit('connection', socket)
  socket.emit('data', bytes)
  socket.destroy()
  return requests
}

const PIECES = [
  ...['GET ', 'HEAD ', 'POST ', '/api/v1/team', '/api/v1/folders/', 'root', '?q=', ' HTTP/1.1', ' HTTP/1.0'],
  ...[
    '\r\n',
    '\r\n\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    ':',
    ': ',
    ';',
    '\t',
    'Host: a',
    'X: y',
    'Connection: close',
  ],
  ...[
    'Content-Length: 4',
    'Content-Length',
    'Transfer-Encoding: chunked',
    'Upgrade: websocket',
    'GET /api/v1/team',
  ],
]

test('[READ-2] given any bytes that a reader would take, when Node parses them, then they are one complete request', () => {
  const plain = fc.tuple(
    fc.constantFrom('GET', 'HEAD'),
    fc.constantFrom('/api/v1/team', '/api/v1/folders/a', '/api/v1/documents?q=x'),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 3 }),
  )
  let taken = 0
  fc.assert(
    fc.property(plain, ([method, address, fields, end]) => {
      const bytes = Buffer.from(
        `${method} ${address} HTTP/1.1\r\nHost: a\r\n${fields.join('')}${end.join('')}\r\n\r\n`,
        'latin1',
      )
      if (!isRead(bytes)) return
      taken++
      const requests = parse(bytes)
      assert.equal(requests.length <= 1, true)
      for (const request of requests) {
        assert.equal(request.headers['content-length'] ?? request.headers['transfer-encoding'], undefined)
        assert.equal(request.url, address)
      }
    }),
    { numRuns: 2000, examples: [[['GET', '/api/v1/team', [], []]]] },
  )
  assert.ok(taken > 0)
})
