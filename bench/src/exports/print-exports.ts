import { count, megabytes, milliseconds, table } from '../shared/format.ts'
import { median } from '../shared/statistics.ts'
import type { ExportFigures } from './measure-exports.ts'

const AIMS = { linkRatio: 0.35, timesRhino: 1.5 }

export function printExports({ model, coldMs, firstMs, rhino, many, links }: ExportFigures): string {
  const [bare, meadow] = links
  const [first, alone] = [median(firstMs), median(rhino.ms)]
  const factor = first / alone
  const perSecond = meadow!.medianPerSecond
  const rows = [
    [
      'a link to an export that is there',
      `${count(perSecond)} per s (bare: ${count(bare!.medianPerSecond)}, ratio ${meadow!.ratio.toFixed(2)})`,
      verdict(meadow!.ratio >= AIMS.linkRatio, `ratio ${AIMS.linkRatio}`),
    ],
    [
      'the first export of a model',
      `${milliseconds(first)} ms, ${factor.toFixed(2)} times the ${milliseconds(alone)} ms of rhino3dm`,
      verdict(factor <= AIMS.timesRhino, `${AIMS.timesRhino} times`),
    ],
    ['the very first, which starts the thread', `${milliseconds(coldMs)} ms`, ''],
    [
      'fifty at once',
      `${milliseconds(many.ms)} ms${many.late > 0 ? `, ${many.late} not in time` : ''}, ${megabytes(many.mostBytes)} MB at most (${megabytes(many.beforeBytes)} MB before)`,
      '',
    ],
  ]
  return [
    `## Exports\n\nA model of ${(model.bytes / 1e6).toFixed(1)} MB with ${count(model.objects)} objects, in archive 80:`,
    table(['what', 'measured', 'aim'], rows),
  ].join('\n\n')
}

const verdict = (isGood: boolean, aim: string) => `${aim} ${isGood ? '✓' : '✗'}`
