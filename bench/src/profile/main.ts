import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from '../load/load.ts'
import { requestBytes } from '../load/request.ts'
import { listCases } from '../requests/cases.ts'
import { type Case, requestsOf } from '../requests/contender.ts'
import { MEADOW, openMeadow } from '../requests/meadow.ts'
import { findTagged } from '../requests/measure.ts'
import { readProcessFigures } from '../servers/process-figures.ts'
import { table } from '../shared/format.ts'
import { reportProgress } from '../shared/progress.ts'
import { type CachedTeam, openCachedTeam } from '../team/team-cache.ts'
import { attributeTime, type PartTime, type Profile } from './attribute.ts'

const HELP = `Shows in which part of the server the processor time of one request goes, by V8's profiler.

  npm run bench:profile                        a kept and a first read of a folder, and a first read of a document
  npm run bench:profile -- --case "team, 304"  another case of npm run bench; may be given several times
  --seconds N (3), --parts N (15), --documents N (1000)
`
const CONNECTIONS = 8
const WARM_UP_MS = 1_000
const SAMPLE_MICROSECONDS = 200

process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

interface ProfiledCase {
  requests: number
  /** Of the whole server; undefined where the system does not report it. */
  cpuMicroseconds: number | undefined
  parts: PartTime[]
}

/** Loads a server with one case while it is profiled. The profile is written when it ends. */
async function profileCase(name: string, cached: CachedTeam, seconds: number): Promise<ProfiledCase> {
  reportProgress(`Profiling ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'meadow-bench-profile-'))
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLE_MICROSECONDS}`]
    const measured = await loadServer(name, cached, seconds, flags.join(' '))
    const files = await readdir(folder)
    const profile: Profile = JSON.parse(
      await readFile(join(folder, files.find((file) => file.includes(`.${measured.pid}.`))!), 'utf8'),
    )
    const { requests, cpuMicroseconds, from, until } = measured
    return { requests, cpuMicroseconds, parts: attributeTime(profile, from, until) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function loadServer(name: string, cached: CachedTeam, seconds: number, nodeOptions: string) {
  await using meadow = await openMeadow(MEADOW, cached, { env: { NODE_OPTIONS: nodeOptions } })
  const found = listCases(cached.team).find((measured): measured is Case => measured.name === name)
  if (!found) throw new Error(`There is no case "${name}": npm run bench prints their names.`)
  const plain = requestsOf(meadow, found)
  const { requests, ...server } = (found.manner === 'unchanged' && (await findTagged(plain))) || plain
  const target = { ...server, requests: requests.map(requestBytes) }
  await load(target, { connections: CONNECTIONS, durationMs: WARM_UP_MS })
  const cpuBefore = readProcessFigures(server.pid!).cpuMs
  const from = now()
  const { responses } = await load(target, { connections: CONNECTIONS, durationMs: seconds * 1000 })
  const until = now()
  const cpuAfter = readProcessFigures(server.pid!).cpuMs
  const cpuMicroseconds =
    cpuBefore === undefined || cpuAfter === undefined
      ? undefined
      : ((cpuAfter - cpuBefore) * 1000) / responses.length
  return { requests: responses.length, cpuMicroseconds, from, until, pid: server.pid! }
}

/** The clock of V8's profiles, in microseconds. */
const now = () => Number(process.hrtime.bigint() / 1000n)

function printCase(name: string, { requests, cpuMicroseconds, parts }: ProfiledCase, most: number): string {
  const total = parts.reduce((sum, { microseconds }) => sum + microseconds, 0)
  // Sampled time includes waiting for a processor, so shares of it are what is reported.
  const costOf = (microseconds: number) =>
    (((cpuMicroseconds ?? total / requests) * microseconds) / total).toFixed(1)
  const rest = parts.slice(most).reduce((sum, { microseconds }) => sum + microseconds, 0)
  const shown = [...parts.slice(0, most), { part: 'everything else', microseconds: rest }]
  return (
    `${name}: ${costOf(total)} µs for each of ${requests.toLocaleString('en')} requests, while profiled\n\n` +
    table(
      ['part', 'µs', 'share'],
      shown.map(({ part, microseconds }) => [
        part,
        costOf(microseconds),
        `${((microseconds / total) * 100).toFixed(1)} %`,
      ]),
    )
  )
}

const { values } = parseArgs({
  options: {
    case: { type: 'string', multiple: true, default: ['folder', 'folder, first', 'document 5 KB, first'] },
    seconds: { type: 'string', default: '3' },
    parts: { type: 'string', default: '15' },
    documents: { type: 'string', default: '1000' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else {
  const cached = await openCachedTeam('sqlite', Number(values.documents))
  for (const name of values.case) {
    const profiled = await profileCase(name, cached, Number(values.seconds))
    process.stdout.write(`${printCase(name, profiled, Number(values.parts))}\n\n`)
  }
}
