import { type CheckReport, describeCounts, describePlace, type FileReport } from './report.ts'

/** The maximum number of findings that are listed: GitHub cuts a summary at a megabyte. */
const MAX_LISTED = 200

const ICONS = { ok: '✅', passed: '✅', failed: '❌', unknown: '❔', skipped: '⏭️' } as const

/** Writes a run as Markdown, for the summary of a job: counts, tests, and findings, errors first. */
export function writeMarkdown(report: CheckReport): string {
  const { files, isOk } = report
  const tests = files.filter(({ isTest }) => isTest)
  return [
    `## ${isOk ? '✅' : '❌'} meadow check`,
    '',
    `${describeCounts(report)}.`,
    ...(tests.length > 0
      ? ['', '| Test | | Asserts |', '| --- | --- | --- |', ...tests.map(describeTest)]
      : []),
    ...describeFindings(files),
    '',
  ].join('\n')
}

function describeTest({ path, status, asserts }: FileReport): string {
  const passed = asserts.filter((one) => one.status === 'passed').length
  return `| ${escapeMarkdown(path)} | ${ICONS[status]} ${status} | ${asserts.length === 0 ? '' : `${passed} of ${asserts.length}`} |`
}

function describeFindings(files: readonly FileReport[]): string[] {
  const all = files.flatMap(({ path, findings }) => findings.map((finding) => ({ path, ...finding })))
  const sorted = [
    ...all.filter(({ severity }) => severity === 'error'),
    ...all.filter(({ severity }) => severity !== 'error'),
  ]
  if (sorted.length === 0) return []
  const rows = sorted.slice(0, MAX_LISTED).map(({ path, ...finding }) => {
    const { severity, rule, message } = finding
    const cells = [path, describePlace(finding), message].map(escapeMarkdown)
    return `| ${severity === 'error' ? '❌' : '⚠️'} | ${cells.join(' | ')} | \`${rule}\` |`
  })
  const more = sorted.length - rows.length
  return [
    '',
    '| | Definition | Component | | Rule |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    ...(more > 0 ? ['', `${more} more findings are not listed.`] : []),
  ]
}

/** Escapes a text of a file for a cell, so that nothing in it is markup, a link or a mention. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!|~$]/g, '\\$&')
    .replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!)
    .replaceAll('@', '&#64;')
