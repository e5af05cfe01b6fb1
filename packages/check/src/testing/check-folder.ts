import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { type CheckOptions, check } from '../check.ts'
import type { CheckReport } from '../report/report.ts'

/** A folder with these files, which is removed at the end, and checks in it. */
export function createCheckFolder(t: TestContext, files: Record<string, Uint8Array | string | object> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'meadow-check-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  function write(name: string, content: Uint8Array | string | object): void {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    const isRaw = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(path, isRaw ? content : JSON.stringify(content))
  }
  for (const [name, content] of Object.entries(files)) write(name, content)
  return {
    folder,
    write,
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    check: (options: Partial<CheckOptions> = {}): Promise<CheckReport> =>
      check({ paths: ['.'], cwd: folder, jobs: 1, ...options }),
  }
}

/** The findings of a run in a line each: `test_a.gh error test-failed AT: It is false at {0}[0], of 1`. */
export const listFindings = ({ files }: CheckReport): string[] =>
  files.flatMap(({ path, findings }) =>
    findings.map(
      ({ severity, rule, node, message }) =>
        `${path} ${severity} ${rule} ${node ? `${node.name}: ` : ''}${message}`,
    ),
  )

/** The status of each file. */
export const listStatuses = ({ files }: CheckReport): Record<string, string> =>
  Object.fromEntries(files.map(({ path, status }) => [path, status]))
