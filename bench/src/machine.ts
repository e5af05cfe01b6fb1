import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'

/** What figures depend on beside the code. */
export interface Machine {
  /** Of the project, with a plus when there are changes that are not in it. */
  commit: string
  node: string
  processor: string
  cores: number
  memoryGb: number
  system: string
  takenAt: string
}

export function describeMachine(): Machine {
  const processors = cpus()
  return {
    commit: commit(),
    node: process.version,
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    takenAt: new Date().toISOString(),
  }
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : '')
  } catch {
    return 'unknown'
  }
}
