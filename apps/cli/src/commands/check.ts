import { appendFile } from 'node:fs/promises'
import type { CheckReport, FileReport, Finding } from '@meadow/check'
import { VERSION } from '@meadow/client'
import { type Output, printable, readWhole, UsageFailure } from '@meadow/command'
import { writeFile } from '@meadow/command/files'
import { createProgress } from '@meadow/command/terminal'
import type { Command, CommandContext } from '../command-context.ts'
import { EXIT_CODES } from '../failure.ts'

interface CheckCommandOptions {
  config?: string
  update?: true
  allowUnknown?: true
  requireSnapshots?: true
  maxWarnings?: number
  jobs?: number
  junit?: string
  sarif?: string
  markdown?: string
  quiet?: true
}

const HELP_AFTER = `
Ends with 0 when there are no errors, with 1 when there are, and with 2 when it was called wrongly or a configuration is not
valid.`

/** `meadow check` checks definitions without Rhino and without a service. */
export const checkCommand: Command = {
  name: 'check',
  description:
    'Check Grasshopper definitions on this computer, without Rhino and without a service. Files named test_*.gh are ' +
    'tests: they pass when no component reports an error and every Assert True holds. Others are held against rules, ' +
    'budgets and snapshots of their outputs.',
  arguments: { '[paths...]': { says: 'Files, folders with all in them, and globs.', default: ['.'] } },
  options: {
    '--config <file>':
      'The configuration; by default the nearest meadow.check.json or .yaml above each file.',
    '--update': 'Write snapshots of outputs beside the definitions instead of comparing them.',
    '--allow-unknown': 'Let pass what depends on something that Meadow cannot solve, with a warning.',
    '--require-snapshots': 'Fail for definitions that have no snapshot.',
    '--max-warnings <count>': {
      says: 'Fail when there are more warnings; any number unless named.',
      read: readWhole(0),
    },
    '-j, --jobs <count>': {
      says: 'How many definitions are checked at once; one for each processor.',
      read: readWhole(1, 256),
    },
    '--quiet': 'Print errors only.',
    '--junit <file>': "Write JUnit's XML, which CI services show as tests.",
    '--sarif <file>': 'Write SARIF 2.1.0, which GitHub shows beside the code.',
    '--markdown <file>': 'Append Markdown, for the summary of a job: $GITHUB_STEP_SUMMARY.',
  },
  notes: HELP_AFTER,
  examples: [
    'meadow check',
    'meadow check definitions --junit report.xml',
    "meadow check 'facades/**/test_*.gh' --allow-unknown",
    'meadow check tower.gh --update',
  ],
  run: runCheck,
}

async function runCheck(
  context: CommandContext,
  paths: string[],
  options: CheckCommandOptions,
): Promise<void> {
  const { output, stderr, env, signal } = context
  // The package takes a quarter of a second to load, and other commands do not need it.
  const { check, CheckError, describeCounts, describePlace, writeJunit, writeMarkdown, writeSarif } =
    await import('@meadow/check')
  using progress = createProgress({ env, output, stderr })
  let report: CheckReport
  try {
    report = await check({
      ...options,
      paths,
      signal,
      onFile: ({ path }, done, total) => progress.show(`${done} of ${total}  ${path}`),
    })
  } catch (error) {
    throw error instanceof CheckError ? new UsageFailure(error.message) : error
  }
  progress.clear()
  if (options.junit !== undefined) await writeFile(options.junit, writeJunit(report))
  if (options.sarif !== undefined) await writeFile(options.sarif, writeSarif(report, { version: VERSION }))
  // The summary is appended, since several steps of a job share one file.
  if (options.markdown !== undefined) await appendFile(options.markdown, writeMarkdown(report))
  const isShown = ({ severity }: Finding) => severity === 'error' || !options.quiet
  const describe = (file: FileReport) => {
    const findings = file.findings.filter(isShown)
    const isTold = findings.length > 0 || (file.isTest && !options.quiet) || file.snapshot === 'written'
    if (!isTold) return []
    const describeOne = (finding: Finding) => describeFinding(finding, describePlace(finding), output)
    return [describeFile(file, output), ...findings.map(describeOne)]
  }
  await output.data(report, {
    table: {
      columns: ['severity', 'rule', 'path', 'node', 'message', 'id'],
      rows: report.files.flatMap(({ path, findings }) =>
        findings
          .filter(isShown)
          .map((finding) => [
            finding.severity,
            finding.rule,
            path,
            describePlace(finding),
            finding.message,
            finding.node?.id ?? null,
          ]),
      ),
    },
    text: () => [...report.files.flatMap(describe), `${describeCounts(report)}.`].join('\n'),
  })
  if (!report.isOk) context.endWith(EXIT_CODES.failed)
}

function describeFile({ path, isTest, status, snapshot }: FileReport, output: Output): string {
  const mark = output.style(STYLES[status], isTest || status === 'failed' ? status : 'checked')
  return `${output.style('bold', printable(path))}  ${mark}${snapshot === 'written' ? '  snapshot written' : ''}`
}

function describeFinding({ severity, rule, message }: Finding, place: string, output: Output): string {
  const where = place === '' ? '' : `${printable(place)}: `
  const mark = output.style(severity === 'error' ? 'red' : 'yellow', severity.padEnd(7))
  return `  ${mark}  ${where}${printable(message)}  ${output.style('dim', rule)}`
}

const STYLES = { ok: 'green', passed: 'green', failed: 'red', unknown: 'yellow', skipped: 'dim' } as const
