import { readdirSync, readFileSync } from 'node:fs'

/** What the kernel says of a process. Only Linux tells; elsewhere everything is undefined. */
export interface ProcessFigures {
  residentBytes: number | undefined
  /** The most that was ever resident. */
  peakResidentBytes: number | undefined
  /** Processor time used since its start, by all its threads. */
  cpuMs: number | undefined
}

/** The kernel counts processor time in these, whatever the machine (`USER_HZ`). */
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

/** The resident bytes of a process and, separately, of all its descendants. Undefined where the system does not tell. */
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

/** Each thread lists the processes that it started. */
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

/** Fields 14 and 15 of `stat`, counted behind the command's name, which may hold spaces. */
function readCpuMs(stat: string | undefined): number | undefined {
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
