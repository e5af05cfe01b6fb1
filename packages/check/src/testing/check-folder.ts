import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { processScope } from '../../../../apps/server/src/testing/process-scope.ts'
import { type CheckOptions, checkWith } from '../check.ts'
import { type Inspector, openInspector } from '../inspect/inspector.ts'
import type { CheckReport } from '../report/report.ts'

/** The inspectors that no run uses. */
const idle: Inspector[] = []
processScope.after(async () => {
  for (const inspector of idle) await inspector.end()
})

/** Opens an inspector whose process stays for the next run: it takes longer to start than a small definition to check. */
function openKeptInspector(): Inspector {
  const kept = idle.pop() ?? openInspector()
  return { inspect: kept.inspect, end: async () => void idle.push(kept) }
}

/**
 * A folder with these files, which is removed at the end, and checks in it. The processes of a run are those of earlier
 * ones.
 */
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
      checkWith(openKeptInspector, { paths: ['.'], cwd: folder, jobs: 1, ...options }),
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
