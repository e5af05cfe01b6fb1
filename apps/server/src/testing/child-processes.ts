import { readdirSync, readFileSync } from 'node:fs'

/** Why processes cannot be looked at here, or false. */
export const noProc = process.platform !== 'linux' && 'processes are looked up in /proc'

export interface ChildFacts {
  pid: number
  /** Processor time, in milliseconds. */
  cpuMs: number
}

/** The living children of a process whose command line holds `script`. */
export function listChildren(script: string, parent = process.pid): ChildFacts[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const isChild = Number(fields[1]) === parent && fields[0] !== 'Z'
      if (!isChild || !readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(script)) return []
      return [{ pid: Number(name), cpuMs: 10 * (Number(fields[11]) + Number(fields[12])) }]
    } catch {
      return [] // It has just ended.
    }
  })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
