import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { openFolder } from '../harness/command.ts'
import { MEADOW_SERVER, meadowEnvironment, ROOT } from '../harness/meadow.ts'
import { median } from '../harness/statistics.ts'

const MEADOW = join(ROOT, 'apps/cli/bin/meadow.js')

/** The cost of a short command, from its start to its end. */
export interface CommandStart {
  command: string
  /** The median of the processor time in milliseconds, including that of the system. */
  cpuMs: number
  ms: number
  /** The highest memory in bytes. */
  peak: number
}

const ROUNDS = 9

/** Runs short commands in turn on the data of a new team; the first time fills the caches of compiled code. */
export async function measureCommandStarts(): Promise<CommandStart[]> {
  await using folder = await openFolder('bench-start')
  const { path: dataDir } = folder
  runOnce(dataDir, [MEADOW_SERVER, 'team', 'create', 'Start'])
  const starts = [
    ['meadow-server --version', [MEADOW_SERVER, '--version']],
    ['meadow-server --help', [MEADOW_SERVER, '--help']],
    ['meadow-server team list', [MEADOW_SERVER, 'team', 'list']],
    ['meadow-server user list', [MEADOW_SERVER, 'user', 'list']],
    ['meadow-server mirror list', [MEADOW_SERVER, 'mirror', 'list']],
    ['meadow --version', [MEADOW, '--version']],
  ] as const
  for (const [, args] of starts) runOnce(dataDir, args)
  const runs = Array.from({ length: ROUNDS }, () => starts.map(([, args]) => runOnce(dataDir, args)))
  return starts.map(([command], index) => ({
    command,
    cpuMs: median(runs.map((round) => round[index]!.cpuMs)),
    ms: median(runs.map((round) => round[index]!.ms)),
    peak: Math.max(...runs.map((round) => round[index]!.peak)),
  }))
}

/** Imported before the command: prints what the process used when it ends, on a line of its own. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs'
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  writeSync(2, '\\n' + JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 }))
})`)}`

function runOnce(dataDir: string, args: readonly string[]): Omit<CommandStart, 'command'> {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(process.execPath, ['--import', REPORT, ...args], {
    env: meadowEnvironment({ dataDir }),
    encoding: 'utf8',
  })
  const ms = performance.now() - startedAt
  if (status !== 0) throw new Error(`${args.slice(1).join(' ')} ended with ${status}:\n${stderr}`)
  return { ms, ...JSON.parse(stderr.slice(stderr.lastIndexOf('\n') + 1)) }
}
