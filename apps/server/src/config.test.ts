import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'
import { configurationPage } from './configuration-page.ts'
import { createFolder } from './testing/definition-folder.ts'

const mistakesOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.split('\n').slice(1)
  }
  return []
}

const TEAM = 'team_0123456789abcdef'
const QUEUE = { maxWaiting: { team: 250, process: 1000 }, maxWaitMs: 600_000 }

test('given an empty environment, when it is read, then the defaults hold', () => {
  assert.deepEqual(readConfig({}), {
    dataDir: resolve('data'),
    blobsLocation: { kind: 'disk', folder: resolve('data/blobs') },
    s3Access: { keys: 'instance', spoolFolder: resolve('data/spool') },
    redirectsDownloads: false,
    backupAccess: { keys: 'instance', spoolFolder: resolve('data/spool') },
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databaseConnections: 10,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    metricsToken: undefined,
    telemetry: undefined,
    host: '127.0.0.1',
    port: 4000,
    baseUrl: undefined,
    sessionSecret: undefined,
    trustedProxies: [],
    hsts: 'host',
    oidc: undefined,
    mail: undefined,
    webhooks: { networks: [], hosts: [] },
    oauth: { clients: { networks: [], hosts: [] }, mcpUrl: undefined },
    logLevel: 'info',
    rateLimit: undefined,
    sendsTiming: false,
    securityContact: undefined,
    admission: {
      requests: { caller: 4, team: 8, process: 32 },
      queued: { caller: 1000, team: 2000, process: 5000 },
      queueMs: 10_000,
      responseMb: { caller: 32, team: 64, process: 512 },
      responseMbPerSecond: { caller: 64, team: 128 },
      openFiles: { caller: 32, team: 64, process: 256 },
    },
    connections: { connections: 4000, pipelined: 10_000 },
    maxWaits: { caller: 64, team: 256, process: 2000 },
    uploads: {
      atOnce: { caller: 4, team: 8, process: 32 },
      queued: { caller: 32, team: 64, process: 256 },
      queueMs: 15_000,
    },
    jobs: {
      definitions: { processes: 2, cpuMs: 60_000, heapMb: 1024, ...QUEUE },
      bodies: { processes: 2, cpuMs: 120_000, heapMb: 1024, ...QUEUE },
      exports: { processes: 2, cpuMs: 120_000, heapMb: 1024, ...QUEUE },
      values: { processes: 2, cpuMs: 30_000, heapMb: 512, ...QUEUE },
    },
    live: {
      sockets: { caller: 100, process: 2000 },
      waitingMb: { socket: 128, process: 512 },
      messages: { socket: 200, caller: 1000 },
      inputMb: { socket: 4, caller: 16 },
    },
    cacheBytes: 64 * 2 ** 20,
    stopNoticeMs: 1000,
    stopGraceMs: 25_000,
    solving: {
      workers: Math.max(2, availableParallelism() - 1),
      leaseMs: 30_000,
      limits: { timeMs: 60_000, memoryMb: 1024 },
      compute: undefined,
    },
    misspellings: [],
  })
})

test('[HTTP-42] given variables that nobody reads, then those whose names are nearly ours are named, and no other', () => {
  const near = { MEADOW_PROT: '1', MEADOW_RATE_LIMITS: '1', MEADOW_PORT_FILE: '/run/port' }
  const others = { MEADOW_TOKEN: 'a', MEADOW_URL: 'b', MEADOW_CONFIG_DIR: 'c', MEADOW_SERVER: 'd', PORT: '1' }
  const ours = { MEADOW_COMPUTE_KEY: '', MEADOW_HOST: '0.0.0.0', MEADOW_HSTS: 'off', MEADOW_LOG_LEVL: '' }
  assert.deepEqual(readConfig({ ...near, ...others, ...ours }).misspellings, [
    { name: 'MEADOW_PROT', meant: 'MEADOW_PORT' },
    { name: 'MEADOW_RATE_LIMITS', meant: 'MEADOW_RATE_LIMIT' },
    { name: 'MEADOW_PORT_FILE', meant: 'MEADOW_PORT' },
  ])
})

test('given empty variables, when they are read, then they count as not set', () => {
  assert.deepEqual(readConfig({ MEADOW_PORT: '', DATABASE_URL: '', DATABASE_URL_FILE: '' }), readConfig({}))
})

test('given every variable, when they are read, then each has its value and its unit', () => {
  const config = readConfig({
    MEADOW_DATA_DIR: '/var/lib/meadow',
    MEADOW_BLOBS: 's3://files/meadow?endpoint=https://store.example.org&region=eu-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'hush',
    AWS_SESSION_TOKEN: 'token',
    MEADOW_BLOBS_REDIRECT: 'on',
    MEADOW_BACKUP_ACCESS_KEY_ID: 'AKIDBACKUP',
    MEADOW_BACKUP_SECRET_ACCESS_KEY: 'quiet',
    NODE_EXTRA_CA_CERTS: '/etc/ssl/ours.pem',
    DATABASE_URL: 'postgres://meadow:secret@pooler:6432/meadow',
    DATABASE_DIRECT_URL: 'postgres://meadow:secret@db:5432/meadow',
    MEADOW_DATABASE_CONNECTIONS: '20',
    MEADOW_METRICS_PORT: '9464',
    MEADOW_METRICS_HOST: '10.0.0.5',
    MEADOW_METRICS_TOKEN: 'a token of monitoring',
    MEADOW_HSTS: 'subdomains',
    MEADOW_WEBHOOKS_ALLOW: '10.1.0.0/16, hooks.internal',
    MEADOW_OAUTH_ALLOW: 'agents.internal',
    MEADOW_MCP_URL: 'https://mcp.example.org/mcp/',
    MEADOW_HOST: '0.0.0.0',
    MEADOW_PORT: '0',
    MEADOW_BASE_URL: 'https://Example.org/meadow//',
    MEADOW_SESSION_SECRET: '0123456789abcdef0123456789abcdef',
    MEADOW_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1/128',
    MEADOW_OIDC_ISSUER: 'https://login.example.org/',
    MEADOW_OIDC_CLIENT_ID: 'meadow',
    MEADOW_OIDC_CLIENT_SECRET: 'hush',
    MEADOW_OIDC_NAME: 'Acme login',
    MEADOW_OIDC_SCOPES: ' openid  email groups',
    MEADOW_OIDC_ROLES: `designers:${TEAM}:member`,
    MEADOW_OIDC_GROUPS_CLAIM: 'https://example.org/groups',
    MEADOW_SMTP_URL: 'smtps://ann:hush@mail.example.org',
    MEADOW_MAIL_FROM: 'The office <office@example.org>',
    MEADOW_LOG_LEVEL: 'warn',
    MEADOW_RATE_LIMIT: '600',
    MEADOW_SERVER_TIMING: 'on',
    MEADOW_SECURITY_CONTACT: 'mailto:security@example.org',
    MEADOW_MAX_REQUESTS: 'process=8',
    MEADOW_MAX_QUEUED: 'caller=2,team=3, process=4',
    MEADOW_MAX_QUEUE_SECONDS: '1',
    MEADOW_MAX_ANSWER_MB: 'team = 5',
    MEADOW_MAX_ANSWER_MB_PER_SECOND: 'caller=7',
    MEADOW_MAX_OPEN_FILES: 'caller=6',
    MEADOW_MAX_CONNECTIONS: '20',
    MEADOW_MAX_PIPELINED: '100',
    MEADOW_MAX_WAITS: 'team=100, process=500',
    MEADOW_MAX_UPLOADS: 'caller=2',
    MEADOW_MAX_QUEUED_UPLOADS: 'caller=3, team=6',
    MEADOW_MAX_UPLOAD_QUEUE_SECONDS: '3',
    MEADOW_JOB_PROCESSES: 'exports=3',
    MEADOW_JOB_MEMORY_MB: 'definitions=64, values=256',
    MEADOW_JOB_SECONDS: 'bodies=7',
    MEADOW_MAX_QUEUED_JOBS: 'team=9',
    MEADOW_MAX_JOB_QUEUE_SECONDS: '8',
    MEADOW_MAX_SOCKETS: 'process=50',
    MEADOW_MAX_LIVE_MB: 'socket=8',
    MEADOW_MAX_LIVE_MESSAGES: 'caller=400',
    MEADOW_MAX_LIVE_INPUT_MB: 'socket=1, caller=2',
    MEADOW_CACHE_MB: '1',
    MEADOW_STOP_NOTICE_SECONDS: '2',
    MEADOW_STOP_GRACE_SECONDS: '0',
    MEADOW_SOLVE_WORKERS: '0',
    MEADOW_SOLVE_SECONDS: '5',
    MEADOW_SOLVE_MEMORY_MB: '64',
    MEADOW_SOLVE_LEASE_SECONDS: '1',
    MEADOW_COMPUTE_URL: 'https://compute.example.org/',
    MEADOW_COMPUTE_KEY: 'hush-hush',
    MEADOW_COMPUTE_UNITS: 'Meters',
  })
  const queue = { maxWaiting: { team: 9, process: 1000 }, maxWaitMs: 8000 }
  const s3Access = {
    keys: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'hush', sessionToken: 'token' },
    spoolFolder: '/var/lib/meadow/spool',
    authorities: '/etc/ssl/ours.pem',
  }
  assert.deepEqual(config, {
    dataDir: '/var/lib/meadow',
    blobsLocation: {
      kind: 's3',
      endpoint: 'https://store.example.org',
      region: 'eu-1',
      bucket: 'files',
      prefix: 'meadow/',
      style: 'path',
      ...s3Access,
    },
    s3Access,
    redirectsDownloads: true,
    backupAccess: { ...s3Access, keys: { accessKeyId: 'AKIDBACKUP', secretAccessKey: 'quiet' } },
    databaseUrl: 'postgres://meadow:secret@pooler:6432/meadow',
    databaseDirectUrl: 'postgres://meadow:secret@db:5432/meadow',
    databaseConnections: 20,
    metricsPort: 9464,
    metricsHost: '10.0.0.5',
    metricsToken: 'a token of monitoring',
    hsts: 'subdomains',
    webhooks: { networks: ['10.1.0.0/16'], hosts: ['hooks.internal'] },
    oauth: { clients: { networks: [], hosts: ['agents.internal'] }, mcpUrl: 'https://mcp.example.org/mcp' },
    telemetry: undefined,
    host: '0.0.0.0',
    port: 0,
    baseUrl: 'https://example.org/meadow',
    sessionSecret: '0123456789abcdef0123456789abcdef',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1/128'],
    oidc: {
      issuer: 'https://login.example.org',
      clientId: 'meadow',
      clientSecret: 'hush',
      name: 'Acme login',
      scopes: ['openid', 'email', 'groups'],
      roles: [{ group: 'designers', team: TEAM, role: 'member' }],
      groupsClaim: 'https://example.org/groups',
    },
    mail: {
      host: 'mail.example.org',
      port: 465,
      isSecure: true,
      requiresTls: false,
      login: { user: 'ann', pass: 'hush' },
      from: { name: 'The office', address: 'office@example.org' },
    },
    logLevel: 'warn',
    rateLimit: 600,
    sendsTiming: true,
    securityContact: 'mailto:security@example.org',
    admission: {
      requests: { caller: 4, team: 8, process: 8 },
      queued: { caller: 2, team: 3, process: 4 },
      queueMs: 1000,
      responseMb: { caller: 32, team: 5, process: 512 },
      responseMbPerSecond: { caller: 7, team: 128 },
      openFiles: { caller: 6, team: 64, process: 256 },
    },
    connections: { connections: 20, pipelined: 100 },
    maxWaits: { caller: 64, team: 100, process: 500 },
    uploads: {
      atOnce: { caller: 2, team: 8, process: 32 },
      queued: { caller: 3, team: 6, process: 256 },
      queueMs: 3000,
    },
    jobs: {
      definitions: { processes: 2, cpuMs: 60_000, heapMb: 64, ...queue },
      bodies: { processes: 2, cpuMs: 7000, heapMb: 1024, ...queue },
      exports: { processes: 3, cpuMs: 120_000, heapMb: 1024, ...queue },
      values: { processes: 2, cpuMs: 30_000, heapMb: 256, ...queue },
    },
    live: {
      sockets: { caller: 100, process: 50 },
      waitingMb: { socket: 8, process: 512 },
      messages: { socket: 200, caller: 400 },
      inputMb: { socket: 1, caller: 2 },
    },
    cacheBytes: 1_048_576,
    stopNoticeMs: 2000,
    stopGraceMs: 0,
    solving: {
      workers: 0,
      leaseMs: 1000,
      limits: { timeMs: 5000, memoryMb: 64 },
      compute: { url: 'https://compute.example.org', key: 'hush-hush', units: 'Meters' },
    },
    misspellings: [],
  })
})

test('given several mistakes, when they are read, then all are reported at once, by name and never by value', () => {
  const mistakes = mistakesOf({
    MEADOW_PORT: '65536',
    MEADOW_LOG_LEVEL: 'loud',
    MEADOW_BASE_URL: 'https://user:hunter2@example.org',
    DATABASE_URL: 'hunter2',
  })
  assert.deepEqual(mistakes, [
    'DATABASE_URL must be a PostgreSQL address such as postgres://user@host:5432/database.',
    'MEADOW_PORT must be a whole number from 0 to 65535.',
    'MEADOW_BASE_URL must be an address such as https://meadow.example.org, without user, query or fragment.',
    'MEADOW_LOG_LEVEL must be one of debug, info, warn, error.',
  ])
})

for (const [name, values] of Object.entries({
  MEADOW_MAX_REQUESTS: [
    '64',
    'caller=0',
    'caller=1;team=2',
    'nobody=1',
    'caller=1,',
    'caller=-1',
    'team=1e3',
  ],
  MEADOW_MAX_ANSWER_MB_PER_SECOND: ['64', 'process=1', 'team=0'],
  MEADOW_MAX_QUEUED_UPLOADS: ['32', 'caller=0'],
  MEADOW_MAX_UPLOAD_QUEUE_SECONDS: ['0', '3601'],
  MEADOW_JOB_PROCESSES: ['2', 'exports=0', 'exports=65', 'solves=1'],
  MEADOW_JOB_MEMORY_MB: ['values=63', 'values=65537'],
  MEADOW_JOB_SECONDS: ['bodies=3601'],
  MEADOW_MAX_QUEUED_JOBS: ['caller=1'],
  MEADOW_MAX_JOB_QUEUE_SECONDS: ['0'],
  MEADOW_MAX_SOCKETS: ['team=1', 'caller=0'],
  MEADOW_MAX_LIVE_MB: ['socket=7'],
  MEADOW_MAX_LIVE_MESSAGES: ['socket=9', 'team=10'],
  MEADOW_MAX_LIVE_INPUT_MB: ['caller=0'],
  MEADOW_DATABASE_CONNECTIONS: ['1', '1001'],
  MEADOW_PORT: ['-1', '4000.5', '4e3', ' 4000', 'tcp://10.0.0.1:4000'],
  MEADOW_HOST: ['example.org:80', 'a b', '-a', 'http://localhost'],
  MEADOW_BASE_URL: ['example.org', 'ftp://example.org', 'https://example.org/?a', 'https://example.org/#a'],
  MEADOW_RATE_LIMIT: ['0', 'off'],
  MEADOW_SERVER_TIMING: ['1'],
  MEADOW_SECURITY_CONTACT: ['security@example.org', 'http://example.org'],
  DATABASE_URL: ['mysql://db/meadow', 'postgres'],
  MEADOW_SESSION_SECRET: ['too short to be a secret'],
})) {
  test(`given a value that ${name} cannot have, when it is read, then it is rejected`, () => {
    for (const value of values) assert.equal(mistakesOf({ [name]: value }).length, 1, value)
  })
}

test('given a secret in a file, when it is read, then the line end behind it is left out', async (t) => {
  const folder = await createFolder(t)
  const path = join(folder, 'database-url')
  await writeFile(path, 'postgres://db/meadow\n')
  assert.equal(readConfig({ DATABASE_URL_FILE: path }).databaseUrl, 'postgres://db/meadow')
  assert.deepEqual(mistakesOf({ DATABASE_URL_FILE: path, DATABASE_URL: 'postgres://db/other' }), [
    'DATABASE_URL and DATABASE_URL_FILE are both set: keep one of them.',
  ])
  await writeFile(path, 'hunter2')
  assert.deepEqual(mistakesOf({ DATABASE_URL_FILE: path }), [
    'What DATABASE_URL_FILE holds must be a PostgreSQL address such as postgres://user@host:5432/database.',
  ])
  await writeFile(path, '\n')
  assert.deepEqual(mistakesOf({ DATABASE_URL_FILE: path }), ['DATABASE_URL_FILE names a file that is empty.'])
  assert.deepEqual(mistakesOf({ DATABASE_URL_FILE: join(folder, 'none') }), [
    'DATABASE_URL_FILE names a file that cannot be read (ENOENT).',
  ])
})

test('given the table of variables, when the page about them is read, then both say the same', async () => {
  const page = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, configurationPage(), 'run: npm run generate')
})

test('given a Rhino.Compute server, when it is read, then its unit has a default, and a key without an address, or one that no header can hold, is a mistake', () => {
  const url = 'https://compute.example.org'
  const read = (env: Record<string, string>) => readConfig(env).solving.compute
  assert.equal(read({}), undefined)
  assert.deepEqual(read({ MEADOW_COMPUTE_URL: url }), { url, key: undefined, units: 'Millimeters' })
  const wrong = [
    [{ MEADOW_COMPUTE_KEY: 'x' }, /^MEADOW_COMPUTE_URL must be set, since MEADOW_COMPUTE_KEY is\.$/m],
    [
      { MEADOW_COMPUTE_URL: url, MEADOW_COMPUTE_KEY: 'a b' },
      /^MEADOW_COMPUTE_KEY must be a text of visible ASCII/m,
    ],
    [{ MEADOW_COMPUTE_URL: 'ftp://compute.example.org' }, /^MEADOW_COMPUTE_URL must be an address/m],
    [
      { MEADOW_COMPUTE_URL: 'https://me:hush@compute.example.org' },
      /^MEADOW_COMPUTE_URL must be an address/m,
    ],
    [
      { MEADOW_COMPUTE_URL: url, MEADOW_COMPUTE_UNITS: 'Ells' },
      /^MEADOW_COMPUTE_UNITS must be one of None, /m,
    ],
  ] as const
  for (const [env, message] of wrong) assert.throws(() => readConfig(env), { message })
})

test('given half of an OpenID provider, when it is read, then all missing variables are reported', () => {
  const issuer = 'https://login.example.org'
  assert.throws(() => readConfig({ MEADOW_OIDC_ISSUER: issuer }), {
    message: [
      'The configuration is not usable.',
      'MEADOW_OIDC_CLIENT_ID must be set, since MEADOW_OIDC_ISSUER is.',
      'MEADOW_BASE_URL must be set, since MEADOW_OIDC_ISSUER is.',
    ].join('\n'),
  })
  assert.throws(
    () => readConfig({ MEADOW_OIDC_CLIENT_ID: 'x', MEADOW_BASE_URL: 'https://x.org' }),
    /MEADOW_OIDC_ISSUER must be set/,
  )
})

test('[SIGN-66] given rules about roles, when they are read, then groups may hold colons, commas and backslashes, domains have an @ before them, and line breaks and commas separate', () => {
  const provider = {
    MEADOW_OIDC_ISSUER: 'https://login.example.org',
    MEADOW_OIDC_CLIENT_ID: 'meadow',
    MEADOW_BASE_URL: 'https://meadow.example.org',
  }
  const read = (rules: string) => readConfig({ ...provider, MEADOW_OIDC_ROLES: rules }).oidc!.roles
  const role = { team: TEAM, role: 'viewer' }
  for (const [text, of] of Object.entries({
    designers: { group: 'designers' },
    'urn:acme:design': { group: 'urn:acme:design' },
    'cn=design\\,ou=groups\\,dc=acme': { group: 'cn=design,ou=groups,dc=acme' },
    'ACME\\design': { group: 'ACME\\design' },
    'a\\\\': { group: 'a\\' },
    '\\@all': { group: '@all' },
    '/acme/Les amis': { group: '/acme/Les amis' },
    '@Example.ORG': { domain: 'example.org' },
  }))
    assert.deepEqual(read(`${text}:${TEAM}:viewer`), [{ ...of, ...role }], text)
  assert.deepEqual(read(`\n  a : ${TEAM} : viewer,\r\n@b.example:${TEAM}:owner, c:${TEAM}:member,\n`), [
    { group: 'a', ...role },
    { domain: 'b.example', team: TEAM, role: 'owner' },
    { group: 'c', team: TEAM, role: 'member' },
  ])

  const mistakesIn = (rules: string) => mistakesOf({ ...provider, MEADOW_OIDC_ROLES: rules })
  const wrong = mistakesIn(
    [
      'hunter2',
      `a:${TEAM}:editor`,
      'a:Acme:member',
      `@example:${TEAM}:member`,
      `@*.example.org:${TEAM}:member`,
      `:${TEAM}:member`,
      `fine:${TEAM}:owner`,
    ].join(','),
  )
  assert.deepEqual(
    wrong.map((sentence) => sentence.split(/[:;] write/)[0]),
    [
      'MEADOW_OIDC_ROLES: rule 1 is not complete',
      'MEADOW_OIDC_ROLES: rule 2 names no role',
      'MEADOW_OIDC_ROLES: rule 3 names no team',
      'MEADOW_OIDC_ROLES: rule 4 names no domain',
      'MEADOW_OIDC_ROLES: rule 5 names no domain',
      'MEADOW_OIDC_ROLES: rule 6 is not complete',
    ],
  )
  assert.ok(!wrong.join().includes('hunter2'))
  assert.match(mistakesIn(' ,\n, ')[0]!, /^MEADOW_OIDC_ROLES must be a list of rules such as "/)
  assert.deepEqual(mistakesOf({ MEADOW_OIDC_ROLES: `a:${TEAM}:owner` }), [
    'MEADOW_OIDC_ISSUER must be set, since MEADOW_OIDC_ROLES is.',
  ])
  assert.match(
    mistakesOf({ ...provider, MEADOW_OIDC_SCOPES: 'openid profile' })[0]!,
    /openid and email among/,
  )
})

test('given proxies that are no addresses or networks, when they are read, then that is a mistake', () => {
  for (const text of ['proxy', '10.0.0.0/33', '::1/129', '10.0.0.1,', '10.0.0.0/8/8', '10.0.0.0/x']) {
    assert.throws(
      () => readConfig({ MEADOW_TRUSTED_PROXIES: text }),
      /MEADOW_TRUSTED_PROXIES must be a list/,
      text,
    )
  }
})
