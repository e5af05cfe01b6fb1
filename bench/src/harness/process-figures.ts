import { readdirSync, readFileSync } from 'node:fs'

/** Memory and processor time of a process, from `/proc`. All undefined on systems other than Linux. */
export interface ProcessFigures {
  residentBytes: number | undefined
  /** The peak of resident bytes since the start. */
  peakResidentBytes: number | undefined
  /** The processor time of all threads since the start, in milliseconds. */
  cpuMs: number | undefined
}

/** The unit of processor time in `/proc` (`USER_HZ`), the same on all machines. */
const TICK_MS = 10

export function readProcessFigures(pid: number): ProcessFigures {
  const status = readProc(pid, 'status')
  const kilobytes = (name: string) => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status ?? '')?.[1]
    return found === undefined ? undefined : Number(found) * 1024
  }
  return {
    residentBytes: kilobytes('VmRSS'),
    peakResidentBytes: kilobytes('VmHWM'),
    cpuMs: readCpuMs(readProc(pid, 'stat')),
  }
}

/** The resident bytes of a process and of all its descendants. Undefined where the system does not report it. */
export interface TreeMemory {
  own: number | undefined
  descendants: number | undefined
}

export function readTreeMemory(pid: number): TreeMemory {
  const descendants = listDescendants(pid)
  return {
    own: readProcessFigures(pid).residentBytes,
    descendants: descendants?.reduce((sum, id) => sum + (readProcessFigures(id).residentBytes ?? 0), 0),
  }
}

/**
 * Returns the processor time of a process and of all its running descendants, in milliseconds. Undefined where the
 * system does not report it.
 */
export function readTreeCpuMs(pid: number): number | undefined {
  const own = readProcessFigures(pid).cpuMs
  if (own === undefined) return undefined
  const [, ...descendants] = listTree(pid)
  return descendants.reduce((sum, id) => sum + (readProcessFigures(id).cpuMs ?? 0), own)
}

/** Lists a process and all its descendants, or the process alone where the system does not report them. */
export const listTree = (pid: number): number[] => [pid, ...(listDescendants(pid) ?? [])]

/** Lists the descendants of a process. The kernel lists child processes per thread. */
function listDescendants(pid: number): number[] | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const lists = threads.map((thread) => readProc(pid, `task/${thread}/children`) ?? '')
    const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
    return children.flatMap((child) => [child, ...(listDescendants(child) ?? [])])
  } catch {
    return undefined
  }
}

/** Reads fields 14 and 15 of `stat`. They are counted from the end of the command's name, which may contain spaces. */
function readCpuMs(stat: string | undefined): number | undefined {
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Returns the processor time of all threads of a process, in nanoseconds; 0 for one that has ended. Linux only. */
export function readCpuNs(pid: number): number {
  const folder = `/proc/${pid}/task`
  try {
    const times = readdirSync(folder).map(
      (id) => readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ')[0],
    )
    return times.reduce((sum, time) => sum + Number(time), 0)
  } catch (error) {
    // Servers end their idle children.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) return 0
    throw error
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
