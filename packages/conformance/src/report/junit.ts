import type { Outcome, Result } from '../run-checks.ts'

/** Writes results as JUnit's XML: a case for each sentence, in one suite for each part of the contract. */
export function writeJunit(results: readonly Result[]): string {
  const parts = new Map<string, Result[]>()
  for (const result of results) {
    const part = /^C\d+/.exec(result.id)![0]
    parts.set(part, [...(parts.get(part) ?? []), result])
  }
  const suites = [...parts].map(([part, cases]) => {
    const head = writeAttributes({ name: `Part ${part.slice(1)} of the contract`, ...sum(cases) })
    return `  <testsuite${head}>\n${cases.map((one) => writeCase(one, part)).join('')}  </testsuite>\n`
  })
  const head = writeAttributes({ name: 'meadow-conformance', ...sum(results) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('')}</testsuites>\n`
}

function sum(results: readonly Result[]) {
  const count = (kind: Outcome['kind']) => results.filter(({ outcome }) => outcome.kind === kind).length
  const durationMs = results.reduce((total, one) => total + one.durationMs, 0)
  return {
    tests: results.length,
    failures: count('failed'),
    errors: 0,
    skipped: count('not checked'),
    time: (durationMs / 1000).toFixed(3),
  }
}

function writeCase({ id, says, outcome, durationMs }: Result, part: string): string {
  const time = (durationMs / 1000).toFixed(3)
  const head = writeAttributes({ name: `${id} ${says}`, classname: part, time })
  const inner = writeOutcome(outcome)
  return inner === '' ? `    <testcase${head}/>\n` : `    <testcase${head}>${inner}</testcase>\n`
}

function writeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'passed':
      return ''
    case 'not checked':
      return `<skipped${writeAttributes({ message: outcome.why })}/>`
    case 'failed': {
      const message = `expected ${outcome.expected}`
      return `<failure${writeAttributes({ message })}>came ${escapeXml(outcome.came)}</failure>`
    }
  }
}

const writeAttributes = (attributes: Record<string, string | number>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')

/** Characters that XML 1.0 cannot contain, and line ends, which attributes lose. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const UNWRITABLE = /[\u0000-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string): string =>
  text.replace(UNWRITABLE, '\ufffd').replace(/[&<>"]/g, (character) => ENTITIES[character]!)
