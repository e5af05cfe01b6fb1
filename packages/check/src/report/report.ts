import type { Finding } from '../config/rules.ts'
import type { AssertResult, Measures } from '../inspect/inspection.ts'

/**
 * The verdict on a definition. A definition that is not a test is `ok` or `failed`; it may have warnings when it is
 * `ok`.
 */
export type FileStatus = 'ok' | 'failed' | 'passed' | 'unknown' | 'skipped'

export interface FileReport {
  /** The path relative to the working folder, with forward slashes. */
  path: string
  isTest: boolean
  status: FileStatus
  /** The findings in the order of the file, those of the same rule together. */
  findings: Finding[]
  /** The results of the asserts of a test. */
  asserts: AssertResult[]
  measures: Partial<Measures>
  /** The state of the snapshot beside the definition: `written` with `update`. Absent when it was not compared. */
  snapshot?: 'same' | 'different' | 'missing' | 'written'
  /** The time from the start of the check of this file to its end, in milliseconds. */
  durationMs: number
}

/** The result of a run. */
export interface CheckReport {
  /** The reports of the files, sorted by path. */
  files: FileReport[]
  counts: {
    files: number
    errors: number
    warnings: number
    tests: Record<'passed' | 'failed' | 'unknown' | 'skipped', number>
    snapshotsWritten: number
  }
  /** Whether the run has no errors, and no more warnings than allowed. */
  isOk: boolean
}

export function summarize(files: readonly FileReport[], maxWarnings: number): CheckReport {
  const findings = files.flatMap((file) => file.findings)
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const countTests = (status: FileStatus) =>
    files.filter((file) => file.isTest && file.status === status).length
  return {
    files: [...files],
    counts: {
      files: files.length,
      errors,
      warnings,
      tests: {
        passed: countTests('passed'),
        failed: countTests('failed'),
        unknown: countTests('unknown'),
        skipped: countTests('skipped'),
      },
      snapshotsWritten: files.filter(({ snapshot }) => snapshot === 'written').length,
    },
    isOk: errors === 0 && warnings <= maxWarnings,
  }
}

/** Describes the counts of a run, such as `2 errors and 1 warning in 5 definitions; 3 tests: 2 passed, 1 unknown`. */
export function describeCounts({ counts }: Pick<CheckReport, 'counts'>): string {
  const { files, errors, warnings, tests, snapshotsWritten } = counts
  const found = `${plural(errors, 'error')} and ${plural(warnings, 'warning')} in ${plural(files, 'definition')}`
  const total = Object.values(tests).reduce((sum, count) => sum + count, 0)
  const parts = Object.entries(tests).flatMap(([status, count]) => (count > 0 ? [`${count} ${status}`] : []))
  return [
    found,
    ...(total > 0 ? [`${plural(total, 'test')}: ${parts.join(', ')}`] : []),
    ...(snapshotsWritten > 0 ? [`${plural(snapshotsWritten, 'snapshot')} written`] : []),
  ].join('; ')
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** Describes the way to a node, with the component when its name differs, such as `Total ▸ Sum (Addition)`. */
export function describePlace({ node }: Finding): string {
  if (!node) return ''
  const name =
    node.name === node.component || node.component === '' ? node.name : `${node.name} (${node.component})`
  return [...(node.clusters ?? []), name].join(' ▸ ')
}
