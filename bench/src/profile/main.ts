import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openFolder, readNumber, reportProgress, runCommand } from '../harness/command.ts'
import { readProcessFigures } from '../harness/process-figures.ts'
import { table } from '../harness/report.ts'
import { loadChecked } from '../harness/rounds.ts'
import { MEADOW, openMeadow } from '../requests/meadow.ts'
import { checkedRequests } from '../requests/measure.ts'
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

interface ProfiledCase {
  requests: number
  /** The processor time of the whole server per request; undefined where the system does not report it. */
  cpuMicroseconds: number | undefined
  parts: PartTime[]
}

/** Loads a server with one case while it is profiled. The server writes the profile when it ends. */
async function profileCase(name: string, cached: CachedTeam, seconds: number): Promise<ProfiledCase> {
  reportProgress(`Profiling ${name}`)
  await using folder = await openFolder('bench-profile')
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder.path}`, `--cpu-prof-interval=${SAMPLE_MICROSECONDS}`]
  const { pid, from, until, ...measured } = await loadServer(name, cached, seconds, flags.join(' '))
  const file = (await readdir(folder.path)).find((file) => file.includes(`.${pid}.`))!
  const profile: Profile = JSON.parse(await readFile(join(folder.path, file), 'utf8'))
  return { ...measured, parts: attributeTime(profile, from, until) }
}

async function loadServer(name: string, cached: CachedTeam, seconds: number, nodeOptions: string) {
  await using meadow = await openMeadow(MEADOW, cached, { env: { NODE_OPTIONS: nodeOptions } })
  const target = await checkedRequests(meadow, name)
  const send = (durationMs: number) =>
    loadChecked(name, target, target.status, { connections: CONNECTIONS, durationMs })
  const pid = target.pid!
  await send(WARM_UP_MS)
  const cpuBefore = readProcessFigures(pid).cpuMs
  const from = now()
  const { responses } = await send(seconds * 1000)
  const until = now()
  const cpuAfter = readProcessFigures(pid).cpuMs
  const isKnown = cpuBefore !== undefined && cpuAfter !== undefined
  const cpuMicroseconds = isKnown ? ((cpuAfter - cpuBefore) * 1000) / responses.length : undefined
  return { requests: responses.length, cpuMicroseconds, from, until, pid }
}

/** Returns the time of the clock of V8's profiles, in microseconds. */
const now = () => Number(process.hrtime.bigint() / 1000n)

function printCase(name: string, { requests, cpuMicroseconds, parts }: ProfiledCase, most: number): string {
  const total = parts.reduce((sum, { microseconds }) => sum + microseconds, 0)
  // Sampled time includes waiting for a processor, so only its shares are reported.
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

function read(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      case: { type: 'string', multiple: true, default: ['folder', 'folder, first', 'document 5 KB, first'] },
      seconds: { type: 'string', default: '3' },
      parts: { type: 'string', default: '15' },
      documents: { type: 'string', default: '1000' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  return {
    names: values.case,
    seconds: readNumber('--seconds', values.seconds),
    parts: readNumber('--parts', values.parts),
    documents: readNumber('--documents', values.documents),
  }
}

await runCommand(HELP, read, async ({ names, seconds, parts, documents }) => {
  const cached = await openCachedTeam('sqlite', documents)
  const printed: string[] = []
  for (const name of names) printed.push(printCase(name, await profileCase(name, cached, seconds), parts))
  return { text: printed.join('\n\n') }
})
