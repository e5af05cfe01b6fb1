import type { RuleId } from '../config/rules.ts'
import type { CheckReport, FileReport } from './report.ts'
import { describePlace } from './report.ts'

/**
 * Writes a run as JUnit's XML, which CI services show. Each definition is a suite with a case for the definition; that
 * of a test has a case for each Assert True as well. An unknown verdict is an error, or skipped where it is allowed.
 */
export function writeJunit({ files }: CheckReport): string {
  const suites = files.map(createSuite)
  const totals = writeAttributes({ name: 'meadow check', ...sum(suites) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites.map(writeSuite).join('')}</testsuites>\n`
}

type Outcome = { kind: 'failure' | 'error' | 'skipped'; message: string; text?: string } | undefined

interface Case {
  name: string
  seconds: number
  outcome: Outcome
}

interface Suite {
  path: string
  seconds: number
  cases: Case[]
  /** Warnings, which do not decide the outcome. */
  notes: string[]
}

function createSuite(file: FileReport): Suite {
  const { path, isTest, asserts, findings, durationMs } = file
  const ids = new Set(asserts.map(({ node }) => node.id))
  // The finding of an assert is written with its own case.
  const own = findings.filter(({ node }) => !node || !ids.has(node.id))
  const lines = own.map((finding) => {
    const place = describePlace(finding)
    return { ...finding, line: `${finding.rule}: ${place === '' ? '' : `${place}: `}${finding.message}` }
  })
  const errors = lines.filter(({ severity }) => severity === 'error')
  const isAllowed = !findings.some(({ rule, severity }) => rule === 'test-unknown' && severity === 'error')
  const outcome = judge(file, errors)
  return {
    path,
    seconds: durationMs / 1000,
    cases: [
      { name: isTest ? 'runs without errors' : 'rules and budgets', seconds: durationMs / 1000, outcome },
      ...asserts.map(({ node, status, message = '' }, index) => ({
        // Several asserts may have one name, and the names of cases must differ.
        name:
          asserts.findIndex((other) => other.node.name === node.name) === index
            ? node.name
            : `${node.name} (${node.id})`,
        seconds: 0,
        outcome: toOutcome(status, message, isAllowed),
      })),
    ],
    notes: lines.flatMap(({ severity, line }) => (severity === 'warning' ? [line] : [])),
  }
}

/**
 * Returns the outcome of a definition. An unknown verdict is no success: it is an error, or skipped where it is
 * allowed.
 */
function judge({ status }: FileReport, errors: readonly { rule: RuleId; line: string }[]): Outcome {
  if (errors.length === 0)
    return status === 'unknown' ? { kind: 'skipped', message: 'The verdict is not known' } : undefined
  const isUnknown = errors.every(({ rule }) => NOT_KNOWN.has(rule))
  return {
    kind: isUnknown ? 'error' : 'failure',
    message: errors.length === 1 ? errors[0]!.line : `${errors.length} errors`,
    text: errors.map(({ line }) => line).join('\n'),
  }
}

/** The rules that report an unknown result, and not that something is wrong. */
const NOT_KNOWN: ReadonlySet<RuleId> = new Set([
  'test-unknown',
  'snapshot-unknown',
  'unreadable-file',
  'unfinished-solve',
])

function toOutcome(
  status: FileReport['asserts'][number]['status'],
  message: string,
  isAllowed: boolean,
): Outcome {
  switch (status) {
    case 'passed':
      return undefined
    case 'failed':
      return { kind: 'failure', message }
    case 'skipped':
      return { kind: 'skipped', message: 'It is disabled' }
    case 'unknown':
      return { kind: isAllowed ? 'skipped' : 'error', message: `Not known: ${message}` }
  }
}

function sum(suites: readonly Suite[]) {
  const cases = suites.flatMap((suite) => suite.cases)
  return { ...count(cases), time: seconds(suites.reduce((total, suite) => total + suite.seconds, 0)) }
}

function count(cases: readonly Case[]) {
  const of = (kind: NonNullable<Outcome>['kind']) =>
    cases.filter(({ outcome }) => outcome?.kind === kind).length
  return { tests: cases.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') }
}

function writeSuite({ path, seconds: time, cases, notes }: Suite): string {
  const head = writeAttributes({ name: path, ...count(cases), time: seconds(time), file: path })
  const body = cases.map((one) => writeCase(one, path)).join('')
  const output = notes.length > 0 ? `    <system-out>${escapeXml(notes.join('\n'))}</system-out>\n` : ''
  return `  <testsuite${head}>\n${body}${output}  </testsuite>\n`
}

function writeCase({ name, seconds: time, outcome }: Case, path: string): string {
  const head = writeAttributes({ name, classname: path, time: seconds(time), file: path })
  if (!outcome) return `    <testcase${head}/>\n`
  const { kind, message, text = message } = outcome
  const inner =
    kind === 'skipped'
      ? `<skipped${writeAttributes({ message })}/>`
      : `<${kind}${writeAttributes({ message, type: kind })}>${escapeXml(text)}</${kind}>`
  return `    <testcase${head}>\n      ${inner}\n    </testcase>\n`
}

const seconds = (value: number): string => value.toFixed(3)

const writeAttributes = (attributes: Record<string, string | number>): string =>
  Object.entries(attributes)
    .map(
      ([name, value]) =>
        ` ${name}="${escapeXml(String(value)).replace(/[\n\t]/g, (white) => `&#${white.charCodeAt(0)};`)}"`,
    )
    .join('')

/** Characters that XML 1.0 cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string): string =>
  text.replace(UNWRITABLE, '\ufffd').replace(/[&<>"]/g, (character) => ENTITIES[character]!)
