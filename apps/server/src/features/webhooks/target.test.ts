import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import os from 'node:os'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { startNameServer } from '../../testing/name-server.ts'
import { createWebhookSecret, postMessage } from './post-message.ts'
import { askNameServers, createTargets, isPublic, type Lookup } from './target.ts'

const MESSAGE = { id: 'msg_1', body: '{}', secrets: [createWebhookSecret()] }
const SIGNAL = new AbortController().signal

/** How many hostile targets are tried. */

// Addresses that are not public, in every form that a URL or a name server can have.

const byte = fc.integer({ min: 0, max: 255 })
const hex = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))

type Bytes = [number, number, number, number]

/** The networks of IPv4 that are not public, as the first bytes. */
const NETWORKS: fc.Arbitrary<Bytes> = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.constantFrom<Bytes>(
    [169, 254, 169, 254],
    [127, 0, 0, 1],
    [0, 0, 0, 0],
    [255, 255, 255, 255],
    [168, 63, 129, 16],
  ),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(198), fc.constantFrom(18, 19), byte, byte),
  fc
    .constantFrom([192, 0, 2], [198, 51, 100], [203, 0, 113], [192, 0, 0])
    .chain(([a, b, c]) => byte.map((d): Bytes => [a!, b!, c!, d])),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
)

const dotted = (bytes: Bytes) => bytes.join('.')
const toNumber = ([a, b, c, d]: Bytes) => ((a * 256 + b) * 256 + c) * 256 + d
const octal = (value: number) => `0${value.toString(8)}`
const asHex = (value: number) => `0x${value.toString(16)}`
/** Digits as they are typed in East Asia; a URL takes them for the usual ones. */
const wide = (text: string) =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0))

const IPV4_FORMS: ((bytes: Bytes) => string)[] = [
  dotted,
  (bytes) => String(toNumber(bytes)),
  (bytes) => asHex(toNumber(bytes)),
  (bytes) => octal(toNumber(bytes)),
  (bytes) => bytes.map(octal).join('.'),
  (bytes) => bytes.map(asHex).join('.'),
  ([a, b, c, d]) => `${a}.${asHex(b)}.${octal(c)}.${d}`,
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  (bytes) => `${dotted(bytes)}.`,
  (bytes) => bytes.map((one) => `000${octal(one)}`).join('.'),
  (bytes) => wide(dotted(bytes)),
  (bytes) => bytes.join('。'),
  (bytes) => bytes.map((one) => [...String(one)].map((digit) => `%3${digit}`).join('')).join('.'),
]

const low = ([a, b, c, d]: Bytes) => `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`

const IPV6: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '::1',
    '::',
    '0:0:0:0:0:0:0:1',
    '0000::0001',
    'fd00:ec2::254',
    'fe80::1%25eth0',
    '::1%25lo',
  ),
  NETWORKS.chain((bytes) =>
    fc.constantFrom(
      ...[
        `::ffff:${dotted(bytes)}`,
        `::ffff:${low(bytes)}`,
        `0:0:0:0:0:ffff:${low(bytes)}`,
        `::${dotted(bytes)}`,
      ],
      ...[
        `::ffff:0:${low(bytes)}`,
        `64:ff9b::${dotted(bytes)}`,
        `64:ff9b:1::${low(bytes)}`,
        `2002:${low(bytes)}::`,
      ],
      ...[`2002:${low(bytes)}::1`, `2001:0:${low(bytes)}::1`, `::${low(bytes)}`],
    ),
  ),
  fc
    .tuple(fc.constantFrom('fc', 'fd', 'fe8', 'fe9', 'fea', 'feb', 'fec', 'ff0', 'ff1'), hex, hex)
    .map(([start, a, b]) => `${start.padEnd(4, '0')}:${a}::${b}`),
  fc.tuple(hex, hex).map(([a, b]) => `2001:db8:${a}::${b}`),
  fc
    .tuple(fc.constantFrom('100', '200', '400', '1000', '4000', '5f00', '8000', 'f000'), hex)
    .map(([start, a]) => `${start}::${a}`),
)

const LOCAL_NAMES = fc.constantFrom(
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.b.localhost.',
    wide('localhost'),
    'ⓛocalhost',
  ],
  ...[
    'printer',
    'printer.local',
    'metadata.google.internal',
    'router.home.arpa',
    'db.lan',
    'wiki.corp',
    'ip6-localhost',
  ],
)

/** Hosts as they stand in a URL. */
const HOSTS = fc.oneof(
  {
    arbitrary: fc.tuple(NETWORKS, fc.constantFrom(...IPV4_FORMS)).map(([bytes, write]) => write(bytes)),
    weight: 4,
  },
  { arbitrary: IPV6.map((address) => `[${address}]`), weight: 3 },
  { arbitrary: LOCAL_NAMES, weight: 1 },
  // Names that a name server leads astray: see `mislead`.
  {
    arbitrary: fc
      .oneof(
        NETWORKS.map((bytes) => `v4-${bytes.join('-')}`),
        IPV6.map((ip) => `v6-${encode(ip)}`),
      )
      .map((label) => `${label}.example.org`),
    weight: 3,
  },
)

const encode = (address: string) =>
  address
    .replaceAll(':', 'x')
    .replaceAll('.', 'y')
    .replaceAll(/%25.*$/g, '')
const decode = (label: string) => label.replaceAll('x', ':').replaceAll('y', '.')

/** A name server that answers with the address in the name, alone or behind a public one. */
const mislead: Lookup = async (name) => {
  const [, v4] = /^v4-([\d-]+)\./.exec(name) ?? []
  const [, v6] = /^v6-([\da-fxy]+)\./.exec(name) ?? []
  const address = v4 === undefined ? decode(v6 ?? '') : v4.replaceAll('-', '.')
  return name.length % 2 === 0 ? [address] : ['93.184.216.34', address]
}

/** What stands before and after the host. */
const URLS = fc
  .record({
    scheme: fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:/\\', 'https:\\\\', 'https:'),
    user: fc.constantFrom('', '', '', 'user@', 'example.org@', 'example.org:443@', 'a%40example.org@'),
    host: HOSTS,
    rest: fc.constantFrom(
      '/',
      '',
      '/hook?x=@example.org',
      '#@example.org',
      '/\\@example.org',
      '/%0d%0aHost:%20x',
    ),
    tab: fc.constantFrom('', '', '\t', '\n'),
  })
  .map(({ scheme, user, host, rest, tab }) => ({ before: `${scheme}${tab}${user}${host}`, rest }))

/** Counts every connection to this machine, on any of its addresses. */
async function startTrap(t: TestContext) {
  const trap = { hits: 0, port: 0 }
  const server = createTcpServer((socket) => {
    trap.hits++
    socket.destroy()
  })
  server.listen(0, '::')
  await once(server, 'listening')
  trap.port = (server.address() as AddressInfo).port
  t.after(() => server.close())
  return trap
}

const REFUSED = /^The (address|name "[^"]*") .*(not public|must|could not be found)/

test('[HOOK-8] given hostile addresses, in every form of IPv4 and IPv6, as names, and behind a name server that lies, when messages are sent there, then no connection is made to any, and a sentence says why', async (t) => {
  const trap = await startTrap(t)
  const targets = createTargets({ networks: [], hosts: [] }, 'MEADOW_WEBHOOKS_ALLOW', mislead)
  await fc.assert(
    fc.asyncProperty(URLS, async ({ before, rest }) => {
      const url = URL.parse(`${before}:${trap.port}${rest}`) ?? URL.parse(`${before}${rest}`)
      // What is no URL cannot be stored.
      if (!url) return
      if (/^https?:$/.test(url.protocol)) {
        const attempt = await postMessage(url, MESSAGE, { targets, signal: SIGNAL })
        assert.equal(attempt.outcome, 'failed', url.href)
        assert.match(attempt.error!, REFUSED, url.href)
        assert.equal(attempt.status, null)
      }
      if (!url.hostname.endsWith('.example.org')) assert.throws(() => targets.read(url.href), url.href)
    }),
    { numRuns: 10_000 },
  )
  assert.equal(trap.hits, 0)
  // The trap works: without the rule it counts.
  const open = createTargets({ networks: ['127.0.0.0/8'], hosts: [] }, 'MEADOW_WEBHOOKS_ALLOW')
  await postMessage(new URL(`https://127.1:${trap.port}/`), MESSAGE, { targets: open, signal: SIGNAL })
  assert.equal(trap.hits, 1)
})

test('[HOOK-8] given a name whose addresses change with every question, and a receiver that redirects, when messages are sent, then each goes to an address that was checked, and none to another', async (t) => {
  // 127.0.0.2 stands for a public address, and 127.0.0.1 for the network that is to be protected.
  const hits = { good: 0, bad: 0 }
  const bad = createServer((_request, response) => {
    hits.bad++
    response.end()
  })
  bad.listen(0, '127.0.0.1')
  await once(bad, 'listening')
  const { port } = bad.address() as AddressInfo
  const good = createServer((_request, response) => {
    hits.good++
    response.writeHead(hits.good % 2 === 0 ? 204 : 307, { location: `http://127.0.0.1:${port}/` }).end()
  })
  good.listen(port, '127.0.0.2')
  await once(good, 'listening')
  t.after(() => [good, bad].map((server) => server.close()))
  let questions = 0
  const ANSWERS = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2', '127.0.0.1'], []]
  const server = await startNameServer(t, (_name, version) =>
    version === 4 ? ANSWERS[questions++ % ANSWERS.length]! : questions % 3 === 0 ? ['0:0:0:0:0:0:0:1'] : [],
  )
  const targets = createTargets(
    { networks: ['127.0.0.2/32'], hosts: [] },
    'MEADOW_WEBHOOKS_ALLOW',
    (name, { signal }) => askNameServers(name, signal, [server]),
  )
  const outcomes = new Set<string>()
  for (let message = 0; message < 60; message++) {
    const url = new URL(`http://rebinding.example.org:${port}/`)
    const { outcome, status } = await postMessage(url, MESSAGE, { targets, signal: SIGNAL })
    outcomes.add(`${outcome} ${status}`)
  }
  assert.equal(hits.bad, 0)
  assert.ok(hits.good > 0)
  assert.deepEqual(outcomes, new Set(['failed 307', 'failed null', 'delivered 204']))
})

test('[HOOK-8] given an operator who allows a network and a name, then messages go there, also over http, and nowhere else', async (t) => {
  const server = createServer((_request, response) => void response.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const send = async (url: string, allowed: { networks: string[]; hosts: string[] }) => {
    const targets = createTargets(allowed, 'MEADOW_WEBHOOKS_ALLOW')
    return postMessage(targets.read(url), MESSAGE, { targets, signal: SIGNAL })
  }
  const network = { networks: ['127.0.0.0/8'], hosts: [] }
  assert.equal((await send(`http://127.0.0.1:${port}`, network)).status, 200)
  assert.equal((await send(`http://2130706433:${port}`, network)).status, 200)
  const host = { networks: [], hosts: ['localhost'] }
  assert.equal((await send(`http://localhost:${port}`, host)).status, 200)
  assert.equal((await send(`http://LOCALHOST.:${port}`, host)).status, 200)
  for (const [url, allowed] of [
    [`http://127.0.0.1:${port}`, host],
    [`https://[::1]:${port}`, network],
    [`http://localhost:${port}`, network],
    ['http://example.org', network],
  ] as const)
    await assert.rejects(send(url, allowed), { name: 'TargetError' }, url)
  // No TLS there.
  assert.match((await send(`https://127.0.0.1:${port}`, network)).error!, /^No secure connection is possible/)
})

test('[HOOK-8] given a machine with public addresses of its own, when a webhook leads there, then it is refused in every form, since what listens there may trust the machine', async (t) => {
  const own = (address: string, family: 'IPv4' | 'IPv6') => ({ address, family, internal: false }) as never
  t.mock.method(os, 'networkInterfaces', () => ({
    eth0: [own('93.184.216.34', 'IPv4'), own('2606:4700::1111%eth0', 'IPv6')],
  }))
  syncBuiltinESMExports()
  try {
    const targets = createTargets({ networks: [], hosts: [] }, 'MEADOW_WEBHOOKS_ALLOW', async () => [
      '8.8.8.8',
      '93.184.216.34',
    ])
    for (const host of ['93.184.216.34', '1572395042', '[::ffff:93.184.216.34]', '[2606:4700:0::1111]'])
      assert.throws(() => targets.read(`https://${host}/`), { name: 'TargetError' }, host)
    assert.ok(targets.read('https://8.8.8.8/'))
    await assert.rejects(targets.resolve(new URL('https://example.org/'), SIGNAL), { name: 'TargetError' })
  } finally {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  }
})

test('[HOOK-8] given public addresses, then they are public, and so is none of the generated ones', () => {
  for (const address of ['93.184.216.34', '8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::200e'])
    assert.ok(isPublic(address), address)
  fc.assert(
    fc.property(NETWORKS, IPV6, (bytes, ipv6) => {
      assert.ok(!isPublic(dotted(bytes)), dotted(bytes))
      assert.ok(!isPublic(ipv6), ipv6)
    }),
  )
})
