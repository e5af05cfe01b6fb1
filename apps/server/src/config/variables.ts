import { JOB_DEFAULTS } from '../platform/processes/pool-limits.ts'
import {
  address,
  allowedTargets,
  blobsAddress,
  contactAddress,
  directory,
  filePath,
  headerText,
  levels,
  longText,
  networks,
  oneOf,
  port,
  postgresAddress,
  webAddress,
  wholeNumber,
  writeLevels,
} from './kinds.ts'
import { MAIL_VARIABLES } from './mail.ts'
import { OIDC_VARIABLES } from './oidc.ts'
import type { Variable } from './read-variables.ts'

/** For two cores and 4 GB of memory. */
const MAX_REQUESTS = { caller: 4, team: 8, process: 32 }
const MAX_RESPONSE_MB = { caller: 32, team: 64, process: 512 }
/** Half a gigabit per second for one caller, which leaves more than half of two processors to others. */
const MAX_RESPONSE_MB_PER_SECOND = { caller: 64, team: 128 }
const MAX_OPEN_FILES = { caller: 32, team: 64, process: 256 }
const MAX_QUEUED = { caller: 1000, team: 2000, process: 5000 }

/** How many requests may be held back by `Prefer: wait`. A waiting request costs some kilobytes. */
const MAX_WAITS = { caller: 64, team: 256, process: 2000 }

/** A window of the web app sends two files at a time. */
const MAX_UPLOADS = { caller: 4, team: 8, process: 32 }
const MAX_QUEUED_UPLOADS = { caller: 32, team: 64, process: 256 }

/** For live editing: tabs and agents of one person, and half of all connections. */
const MAX_SOCKETS = { caller: 100, process: 2000 }
/** The first is more than the largest document needs at once. */
const MAX_LIVE_MB = { socket: 128, process: 512 }
const MAX_LIVE_MESSAGES = { socket: 200, caller: 1000 }
const MAX_LIVE_INPUT_MB = { socket: 4, caller: 16 }

/** Every variable that the server and its command read; `docs/configuration.md` and `--help` show this table. */
export const VARIABLES = {
  MEADOW_DATA_DIR: {
    is: directory,
    default: './data',
    says: 'Where the embedded database is kept, and the files unless MEADOW_BLOBS says otherwise. Made when it is not there.',
  },
  MEADOW_BLOBS: {
    is: blobsAddress,
    says:
      'Where the files are kept: in a folder, or in a bucket of an object store. When not set, `blobs` in MEADOW_DATA_DIR. ' +
      'All processes on one database need the same. `style=host` or `style=path` says how the store is told the bucket ' +
      '(`path` by default with an endpoint); a bucket of AWS needs its region and no endpoint.',
  },
  AWS_ACCESS_KEY_ID: {
    is: headerText,
    secret: true,
    says:
      'The key to the bucket in MEADOW_BLOBS. Without one, the keys that the machine, container or pod is given are used, ' +
      'or those of the files and variables that AWS tools know.',
  },
  AWS_SECRET_ACCESS_KEY: {
    is: headerText,
    secret: true,
    says: 'The secret that belongs to AWS_ACCESS_KEY_ID.',
  },
  AWS_SESSION_TOKEN: {
    is: headerText,
    secret: true,
    says: 'The token of keys that are valid for some hours.',
  },
  MEADOW_BACKUP_ACCESS_KEY_ID: {
    is: headerText,
    secret: true,
    says: 'The key to the bucket of backups, where it is another one than that to the files of the service.',
  },
  MEADOW_BACKUP_SECRET_ACCESS_KEY: {
    is: headerText,
    secret: true,
    says: 'The secret that belongs to MEADOW_BACKUP_ACCESS_KEY_ID.',
  },
  NODE_EXTRA_CA_CERTS: {
    is: filePath,
    says: 'A file with certificates (PEM) of authorities that sign for the object store and others, beside those of Node.',
  },
  MEADOW_BLOBS_REDIRECT: {
    is: oneOf('off', 'on'),
    default: 'off',
    says:
      'Whether downloads are redirected to the object store, which clients then have to reach at the address in ' +
      'MEADOW_BLOBS. That address works for 60 seconds, also when the link is ended meanwhile.',
  },
  DATABASE_URL: {
    is: postgresAddress,
    secret: true,
    says: 'The PostgreSQL database to use in place of the embedded one. Files stay where MEADOW_BLOBS says.',
  },
  DATABASE_DIRECT_URL: {
    is: postgresAddress,
    secret: true,
    says:
      'The address of the same PostgreSQL database past a connection pooler in transaction mode, such as PgBouncer: ' +
      'each process has one connection there, on which it is told of changes. Needed when DATABASE_URL is that of a pooler.',
  },
  MEADOW_DATABASE_CONNECTIONS: {
    is: wholeNumber(2, 1000),
    default: '10',
    says: 'How many connections to PostgreSQL this process has at once at most, and one more to be told of changes.',
  },
  MEADOW_HOST: {
    is: address,
    default: '127.0.0.1',
    says: 'The address to listen on. 0.0.0.0 makes the server reachable from other machines.',
  },
  MEADOW_PORT: { is: port, default: '4000', says: 'The port to listen on; 0 picks a free one.' },
  MEADOW_METRICS_PORT: {
    is: port,
    says:
      'A port that answers `/metrics`, `/healthz` and `/readyz`, and nothing else, so that only monitoring has to reach it. ' +
      'When not set, the server answers `/metrics` at MEADOW_PORT, and `meadow-server work` has no port. 0 picks a free one.',
  },
  MEADOW_METRICS_HOST: {
    is: address,
    says: 'The address of MEADOW_METRICS_PORT, such as that of an internal network. When not set, MEADOW_HOST.',
  },
  MEADOW_METRICS_TOKEN: {
    is: longText(16),
    secret: true,
    says:
      'What `/metrics` asks for, wherever it is served: requests need `Authorization: Bearer` and this text. When not ' +
      'set, everyone who reaches it can read it. `/healthz` and `/readyz` never ask for it.',
  },
  MEADOW_BASE_URL: {
    is: webAddress,
    says:
      'The address under which clients reach the server, with its path where a proxy gives it one, whether the proxy ' +
      'takes the path away or leaves it. When not set, links have the address that their request arrived at, or `localhost` ' +
      'or the host name of the team if it was asked for that.',
  },
  MEADOW_SESSION_SECRET: {
    is: longText(32),
    secret: true,
    says:
      'What the cookies of signed-in people are signed with; the same for all servers on one database. When not set, ' +
      'one is made in MEADOW_DATA_DIR. Another one signs everybody out.',
  },
  ...OIDC_VARIABLES,
  ...MAIL_VARIABLES,
  MEADOW_WEBHOOKS_ALLOW: {
    is: allowedTargets,
    says:
      'Where webhooks may lead beside public addresses over https: addresses, networks and host names, separated by ' +
      'commas, also over http. For receivers in the network of the server; whoever owns a team can send requests there.',
  },
  MEADOW_MCP_URL: {
    is: webAddress,
    says:
      'The address under which assistants reach `meadow mcp --http`, where it is not below MEADOW_BASE_URL: such as ' +
      'https://mcp.example.org/mcp. People may let assistants fetch API tokens for it.',
  },
  MEADOW_OAUTH_ALLOW: {
    is: allowedTargets,
    says:
      'Where the documents of assistants may be (`client_id`) beside public addresses: addresses, networks and host ' +
      'names, separated by commas. For assistants in the network of the server; anybody can make the server read there.',
  },
  MEADOW_TRUSTED_PROXIES: {
    is: networks,
    says:
      'The proxies in front of the server, separated by commas: addresses, or networks such as 10.0.0.0/8. They tell in ' +
      'X-Forwarded-For where a request comes from, by which failures to sign in are counted.',
  },
  MEADOW_HSTS: {
    is: oneOf('off', 'host', 'subdomains'),
    default: 'host',
    says:
      'Where MEADOW_BASE_URL begins with https: whether browsers are told to open the host name only over https for a ' +
      'year (`Strict-Transport-Security`), and with `subdomains` all names below it too, which they keep to even when ' +
      'those have no https.',
  },
  MEADOW_SECURITY_CONTACT: {
    is: contactAddress,
    says:
      'Where people report a vulnerability of this server: `/.well-known/security.txt` (RFC 9116) says it. When not set, ' +
      'there is no such page.',
  },
  MEADOW_LOG_LEVEL: {
    is: oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
    says: 'What is logged: this level and all more serious ones.',
  },
  MEADOW_RATE_LIMIT: {
    is: wholeNumber(1, 1_000_000),
    says:
      'How many requests a minute each API token may make: of all servers together on PostgreSQL, of each one on SQLite. ' +
      'When not set, there is no limit.',
  },
  MEADOW_SERVER_TIMING: {
    is: oneOf('off', 'on'),
    default: 'off',
    says:
      'Whether responses of the API have `Server-Timing`: for how many milliseconds a request waited for its turn, and ' +
      'what it took from then on until its response began. Repeated requests are then parsed like all others, which ' +
      'takes several times as long.',
  },
  MEADOW_MAX_REQUESTS: {
    is: levels(MAX_REQUESTS),
    default: writeLevels(MAX_REQUESTS),
    says:
      'How many requests are worked on at once: of one caller (an API token, a signed-in person, or an address ' +
      'without either), of one team, and in all. What comes beyond that waits its turn; on one connection, requests ' +
      'are worked on one after the other in any case.',
  },
  MEADOW_MAX_QUEUED: {
    is: levels(MAX_QUEUED),
    default: writeLevels(MAX_QUEUED),
    says: 'How many requests wait for their turn, of each kind of limit. One more is refused: 429, or 503 for the process.',
  },
  MEADOW_MAX_QUEUE_SECONDS: {
    is: wholeNumber(1, 3600),
    default: '10',
    says: 'How many seconds a request waits for its turn before it is refused.',
  },
  MEADOW_MAX_ANSWER_MB: {
    is: levels(MAX_RESPONSE_MB),
    default: writeLevels(MAX_RESPONSE_MB),
    says: 'How many megabytes of answers are in memory while they are made and sent; small ones do not count. An answer that is larger than its caller may have takes all of that.',
  },
  MEADOW_MAX_ANSWER_MB_PER_SECOND: {
    is: levels(MAX_RESPONSE_MB_PER_SECOND),
    default: writeLevels(MAX_RESPONSE_MB_PER_SECOND),
    says:
      'How many megabytes of answers are sent each second while other teams ask for something, in the long run: to one ' +
      'caller, and to one team; small ones do not count. What is beyond that waits. After a pause, twice as many are sent at once.',
  },
  MEADOW_MAX_OPEN_FILES: {
    is: levels(MAX_OPEN_FILES),
    default: writeLevels(MAX_OPEN_FILES),
    says: 'How many files are open at once because they are sent.',
  },
  MEADOW_MAX_CONNECTIONS: {
    is: wholeNumber(10, 1_000_000),
    default: '4000',
    says:
      'How many connections are open at once; half as many as the process may have files open, if that is less. Beyond ' +
      'that the address with most connections loses one on which nothing is asked.',
  },
  MEADOW_MAX_PIPELINED: {
    is: wholeNumber(100, 1_000_000),
    default: '10000',
    says:
      'How many requests, on all connections, wait for the answer to one before them on their connection. Beyond that ' +
      'the connection with most of them is closed.',
  },
  MEADOW_MAX_WAITS: {
    is: levels(MAX_WAITS),
    default: writeLevels(MAX_WAITS),
    says:
      'How many requests may wait for solves (`Prefer: wait`) at once: of one API token, of one team, and in the ' +
      'process. Beyond that the answer comes at once, as without that header.',
  },
  MEADOW_MAX_UPLOADS: {
    is: levels(MAX_UPLOADS),
    default: writeLevels(MAX_UPLOADS),
    says:
      'How many files may be uploaded at once: by one person, by one team, and to the process. A file counts until its ' +
      'document is there. Beyond that an upload waits for its turn.',
  },
  MEADOW_MAX_QUEUED_UPLOADS: {
    is: levels(MAX_QUEUED_UPLOADS),
    default: writeLevels(MAX_QUEUED_UPLOADS),
    says: 'How many uploads wait for their turn. One more is refused: 429, or 503 for the process.',
  },
  MEADOW_MAX_UPLOAD_QUEUE_SECONDS: {
    is: wholeNumber(1, 3600),
    default: '15',
    says: 'How many seconds an upload waits for its turn before it is refused.',
  },
  MEADOW_JOB_PROCESSES: {
    is: levels(JOB_DEFAULTS.processes, [1, 64]),
    default: writeLevels(JOB_DEFAULTS.processes),
    says:
      'How many child processes read uploaded definitions, make the bodies of solutions, make files to download, and ' +
      'read values for the editor; of one team one less, where there are two or more. Each does one job at a time.',
  },
  MEADOW_JOB_MEMORY_MB: {
    is: levels(JOB_DEFAULTS.memoryMb, [64, 65_536]),
    default: writeLevels(JOB_DEFAULTS.memoryMb),
    says:
      'How many megabytes of memory the values of one such job may take. Its process is ended when it has taken half ' +
      'as much again and about 1 GB on top.',
  },
  MEADOW_JOB_SECONDS: {
    is: levels(JOB_DEFAULTS.seconds, [1, 3600]),
    default: writeLevels(JOB_DEFAULTS.seconds),
    says: 'How many seconds of processor time one such job may take.',
  },
  MEADOW_MAX_QUEUED_JOBS: {
    is: levels(JOB_DEFAULTS.queued),
    default: writeLevels(JOB_DEFAULTS.queued),
    says: 'How many such jobs of a kind wait for a process. One more is refused: 429, or 503 for the process.',
  },
  MEADOW_MAX_JOB_QUEUE_SECONDS: {
    is: wholeNumber(1, 3600),
    default: String(JOB_DEFAULTS.queueSeconds),
    says: 'How many seconds such a job waits for a process before it is refused.',
  },
  MEADOW_MAX_SOCKETS: {
    is: levels(MAX_SOCKETS),
    default: writeLevels(MAX_SOCKETS),
    says:
      'How many sockets for live editing are open at once: of one person, and in all. One more is refused: 429, or ' +
      '503 for the process.',
  },
  MEADOW_MAX_LIVE_MB: {
    is: levels(MAX_LIVE_MB, [8, 65_536]),
    default: writeLevels(MAX_LIVE_MB),
    says:
      'How many megabytes wait in memory for the clients of live editing to take them: those of one socket, which is ' +
      'closed beyond that, and of all, beyond which the slowest ones are closed. A socket needs room for its largest document.',
  },
  MEADOW_MAX_LIVE_MESSAGES: {
    is: levels(MAX_LIVE_MESSAGES, [10, 1_000_000]),
    default: writeLevels(MAX_LIVE_MESSAGES),
    says:
      'How many messages a second may come over one socket for live editing, and over all of one person; twenty times ' +
      'as many at once. What is answered from a whole document counts for fifty. Beyond that the socket is closed.',
  },
  MEADOW_MAX_LIVE_INPUT_MB: {
    is: levels(MAX_LIVE_INPUT_MB, [1, 1000]),
    default: writeLevels(MAX_LIVE_INPUT_MB),
    says: 'The same in megabytes a second; sixteen times as many at once.',
  },
  MEADOW_CACHE_MB: {
    is: wholeNumber(0, 65_536),
    default: '64',
    says: 'How many megabytes of finished answers are kept in memory.',
  },
  MEADOW_STOP_NOTICE_SECONDS: {
    is: wholeNumber(0, 3600),
    default: '1',
    says:
      'For how many seconds the server goes on answering when it is told to stop, while `/readyz` answers 503, so ' +
      'that a load balancer can turn to another one.',
  },
  MEADOW_STOP_GRACE_SECONDS: {
    is: wholeNumber(0, 3600),
    default: '25',
    says:
      'After how many seconds the server has stopped when it is told to: what still runs then, requests or solves, ' +
      'is cut off.',
  },
  MEADOW_SOLVE_WORKERS: {
    is: wholeNumber(0, 256),
    says:
      'How many documents this process solves at once, of one team one less, where there are two or more. When not ' +
      'set, one less than the machine has processors, but two at least; 0 leaves solving to `meadow-server work`.',
  },
  MEADOW_SOLVE_SECONDS: {
    is: wholeNumber(1, 3600),
    default: '60',
    says: 'How many seconds of processor time a solve may take, and how many credits it may cost at most.',
  },
  MEADOW_SOLVE_MEMORY_MB: {
    is: wholeNumber(16, 65_536),
    default: '1024',
    says:
      'How many megabytes of memory the values of a solve may take. Its process is ended when it has taken half as much ' +
      'again and about 400 MB on top of what it takes by itself, which is about 130 MB.',
  },
  MEADOW_SOLVE_LEASE_SECONDS: {
    is: wholeNumber(1, 3600),
    default: '30',
    says: 'After how many seconds without a sign of life from its solver a solve is taken over by another one. The same for all processes.',
  },
  MEADOW_COMPUTE_URL: {
    is: webAddress,
    says:
      'The Rhino.Compute server that solves what Meadow cannot, for the teams that use it (`meadow-server team solver`; ' +
      'docs/rhino-compute.md). Each process that solves needs it.',
  },
  MEADOW_COMPUTE_KEY: {
    is: headerText,
    secret: true,
    says: 'The key that the Rhino.Compute server asks for (its RHINO_COMPUTE_KEY).',
  },
  MEADOW_COMPUTE_UNITS: {
    is: oneOf('None', 'Millimeters', 'Centimeters', 'Meters', 'Inches', 'Feet'),
    default: 'Millimeters',
    says:
      'The unit that the Rhino.Compute server takes lengths in where neither the models that a definition refers to nor ' +
      'its team have one. It matters to plug-ins that ask Rhino for the unit.',
  },
} as const satisfies Record<string, Variable>
