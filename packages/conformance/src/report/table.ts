import { SENTENCES } from '../contract/sentences.ts'
import type { Outcome, Result } from '../run-checks.ts'

/** Formats results as lines of text: one a sentence, what a failed one expected and what came, and the sums. */
export function formatTable(results: readonly Result[]): string {
  const lines = results.flatMap(({ id, says, outcome }) => [
    `${outcome.kind.padEnd(12)}${id.padEnd(7)}${says}`,
    ...explain(outcome).map((line) => `${' '.repeat(19)}${line}`),
  ])
  const count = (kind: string) => results.filter(({ outcome }) => outcome.kind === kind).length
  const sums = `${count('passed')} passed, ${count('failed')} failed, ${count('not checked')} not checked`
  return `${[...lines, '', `${sums}.`].map(printable).join('\n')}\n`
}

function explain(outcome: Outcome): string[] {
  switch (outcome.kind) {
    case 'passed':
      return []
    case 'failed':
      return [`expected ${outcome.expected}`, `came ${outcome.came}`]
    case 'not checked':
      return [outcome.why]
  }
}

/** Lists all sentences, and how each of them is checked. */
export function formatSentences(): string {
  const lines = SENTENCES.map((sentence) => {
    const how =
      'sameAs' in sentence
        ? ` (see ${sentence.sameAs.join(', ')})`
        : 'cannot' in sentence
          ? ` (not checked: ${sentence.cannot})`
          : ''
    return `${sentence.id.padEnd(7)}${sentence.says}${how}\n`
  })
  return lines.join('')
}

/** What comes from a server may hold control characters, which a terminal would obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const printable = (line: string): string => line.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')
