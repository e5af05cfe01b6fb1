import { count, mark, milliseconds, table } from '../harness/report.ts'
import { type KindGrowth, SIZES } from './measure-kinds.ts'

/** From 30,000 to 100,000, n·log n grows with the power 1.1; the rest is for noise. */
const AIM = 1.3

/** Formats the growth of all kinds as Markdown, the steepest first. */
export function printKinds(growths: readonly KindGrowth[]): string {
  const measured = growths.filter(({ exponent }) => exponent !== undefined)
  const steep = measured.filter(({ exponent }) => exponent! > AIM)
  return [
    '## Growth of kinds',
    `${count(growths.length)} pairs of a kind and what grows were run, ${count(measured.length)} took long enough to tell. ` +
      `${count(steep.length)} grow with more than n^${AIM}.`,
    table(
      ['kind', 'what grows', ...SIZES.map((size) => `ms for ${count(size)}`), 'exponent'],
      measured.map(({ kind, subject, times, exponent }) => [
        kind,
        subject,
        ...SIZES.map((_, i) => showTime(times[i])),
        `${exponent!.toFixed(2)} ${mark(exponent! <= AIM)}`,
      ]),
    ),
  ].join('\n\n')
}

function showTime(time: KindGrowth['times'][number] | undefined): string {
  if (!time) return ''
  const { ms, outcome } = time
  return outcome === 'solved' ? milliseconds(ms) : `${milliseconds(ms)} (${outcome})`
}
