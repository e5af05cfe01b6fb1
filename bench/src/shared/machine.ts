import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'

/** The machine and the versions that figures depend on. */
export interface Machine {
  /** The commit of the project, with a plus for uncommitted changes. */
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
