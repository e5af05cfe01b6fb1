import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { openFolder } from '../harness/command.ts'
import { MEADOW_SERVER, type MeadowServer, meadowEnvironment } from '../harness/meadow.ts'
import { readProcessFigures } from '../harness/process-figures.ts'
import { endWithThisProcess } from '../harness/processes.ts'
import { writeDefinitions } from './definitions.ts'

/** A server's resident memory, in bytes, and the time of its start. Undefined where the system does not report it. */
export interface ServerMemory {
  documents: number
  startMs: number
  afterStart: number | undefined
  afterLoad: number | undefined
  peak: number | undefined
}

/** Reads the memory now, and returns the function that reads it again after the load. */
export function watchServer(documents: number, { pid, startMs }: MeadowServer): () => ServerMemory {
  const afterStart = readProcessFigures(pid).residentBytes
  return () => {
    const { residentBytes, peakResidentBytes } = readProcessFigures(pid)
    return { documents, startMs, afterStart, afterLoad: residentBytes, peak: peakResidentBytes }
  }
}

/** The cost of importing a folder of files. */
export interface ImportMemory {
  files: number
  /** Whether the import was into an empty team, or repeated without changes. */
  run: 'first' | 'again'
  seconds: number
  /** The peak of resident bytes; undefined where the system does not report it. */
  peak: number | undefined
}

const POLL_MS = 10

/** Imports folders of small definitions into new teams, each twice. */
export async function measureImports(numbersOfFiles: readonly number[]): Promise<ImportMemory[]> {
  await using folder = await openFolder('bench-import')
  const measured: ImportMemory[] = []
  for (const files of numbersOfFiles) {
    const [definitions, dataDir] = [join(folder.path, `files-${files}`), join(folder.path, `data-${files}`)]
    await writeDefinitions(definitions, files)
    const created = await runServer(dataDir, 'team', 'create', `Import ${files}`)
    const team = JSON.parse(created.stdout) as { id: string }
    for (const run of ['first', 'again'] as const) {
      const { seconds, peak } = await runServer(dataDir, 'import', definitions, '--team', team.id)
      measured.push({ files, run, seconds, peak })
    }
  }
  return measured
}

/** Runs a command of `meadow-server`; returns its output, time and peak of memory. */
async function runServer(dataDir: string, ...args: string[]) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [MEADOW_SERVER, ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: meadowEnvironment({ dataDir }),
  })
  endWithThisProcess(child)
  let peak: number | undefined
  // The kernel keeps the peak, so the last value that is read before the exit is nearly exact.
  const polling = setInterval(() => {
    peak = readProcessFigures(child.pid!).peakResidentBytes ?? peak
  }, POLL_MS)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  const code = await ended
  clearInterval(polling)
  if (code !== 0) throw new Error(`meadow-server ${args[0]} ended with ${code}:\n${stderr.join('')}`)
  return { stdout: stdout.join(''), seconds: (performance.now() - startedAt) / 1000, peak }
}
