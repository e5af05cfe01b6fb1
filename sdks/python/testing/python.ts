import { spawnSync } from 'node:child_process'

/** Why the tests in Python cannot run here, or false. */
export function whyNoPython(): string | false {
  const { error, status } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])
  if (error) return 'there is no python3'
  return status !== 0 && 'python3 is older than 3.9'
}
