import { findComponentName } from '@meadow/document'
import { type Kernels, openKernels } from '@meadow/geometry/kernels/kernels'
import { createRandom } from '@meadow/server/src/testing/random.ts'
import type { Kind } from '../../../packages/solver/src/kinds/declaration/define-kind.ts'
import type { PortSpec } from '../../../packages/solver/src/kinds/declaration/ports.ts'
import { EARLIER_FAMILY, listFamilies } from '../../../packages/solver/src/kinds/index.ts'
import { type InputData, run } from '../../../packages/solver/src/testing/run.ts'
import { reportProgress } from '../harness/command.ts'
import { ownCpuMs } from '../harness/statistics.ts'
import { makeLarge, makeMany, type Next } from './values-of-size.ts'

export const SIZES = [1_000, 3_000, 10_000, 30_000, 100_000]
/** A kind is not run with more once it took this long. */
const LONG_MS = 1_500
/** What is shorter says nothing about growth. */
const SHORT_MS = 3
const REPETITIONS = 3
const SHORT_LIST = 5
const MAX_BYTES = 4e9

/**
 * What grows. `lists`: the lists, with one value at other inputs. `items`: the other inputs, so that a kind runs as
 * often, with short lists, which each run takes whole.
 * `parts`: the vertices, faces or characters of one value.
 */
const SUBJECTS = { lists: makeLists, items: makeItems, parts: makeParts }

/** The processor time that one node of a kind takes for inputs of several sizes. */
export interface KindGrowth {
  kind: string
  subject: keyof typeof SUBJECTS
  times: { size: number; ms: number; outcome: 'solved' | 'nothing' | 'stopped' }[]
  /**
   * The power of the size with which the time grows between the two largest sizes that were solved; undefined if they take
   * no time.
   */
  exponent: number | undefined
}

/** Measures how the time of each kind grows with its input. */
export async function measureKinds(chosen: (name: string) => boolean): Promise<KindGrowth[]> {
  const kernels = await openKernels(['mesh'])
  const growths: KindGrowth[] = []
  for (const { name: family, kinds } of listFamilies()) {
    // Earlier versions have the functions of the current ones.
    if (family === EARLIER_FAMILY) continue
    for (const kind of kinds) {
      if ('type' in kind || kind.inputs.length === 0) continue
      const name = findComponentName(kind.guids[0]!) ?? kind.guids[0]!
      if (!chosen(name)) continue
      reportProgress(name)
      for (const subject of Object.keys(SUBJECTS) as KindGrowth['subject'][]) {
        const times = measureSizes(kind, SUBJECTS[subject], kernels)
        if (times.length > 0) growths.push({ kind: name, subject, times, exponent: findExponent(times) })
      }
    }
  }
  return growths.sort((a, b) => (b.exponent ?? 0) - (a.exponent ?? 0))
}

/** Returns no times if the subject does not apply to the kind. */
function measureSizes(
  kind: Kind,
  make: (kind: Kind, size: number) => InputData[] | undefined,
  kernels: Kernels,
): KindGrowth['times'] {
  const times: KindGrowth['times'] = []
  for (const size of SIZES) {
    const data = make(kind, size)
    if (!data) break
    const limits = { deadlineMs: 6 * LONG_MS, maxBytes: MAX_BYTES }
    const taken = measure(() => run(kind.guids[0]!, data, { kernels, limits }))
    times.push({ size, ...taken })
    if (taken.ms > LONG_MS || taken.outcome !== 'solved') break
  }
  return times
}

function measure(solve: () => ReturnType<typeof run>): Omit<KindGrowth['times'][number], 'size'> {
  let best = Number.POSITIVE_INFINITY
  let outcome: KindGrowth['times'][number]['outcome'] = 'nothing'
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const start = ownCpuMs()
    try {
      const { outputs } = solve()
      if (outputs.some((output) => Object.values(output).some((values) => values.some((v) => v !== null))))
        outcome = 'solved'
    } catch (error) {
      if (!(error instanceof Error && error.name === 'SolveError')) throw error
      return { ms: ownCpuMs() - start, outcome: 'stopped' }
    }
    best = Math.min(best, ownCpuMs() - start)
    if (best > LONG_MS / REPETITIONS) break
  }
  return { ms: best, outcome }
}

function findExponent(times: KindGrowth['times']): number | undefined {
  const [before, last] = times.filter(({ outcome }) => outcome === 'solved').slice(-2)
  if (!before || !last || last.ms < SHORT_MS) return undefined
  return Math.log(last.ms / Math.max(before.ms, SHORT_MS / 10)) / Math.log(last.size / before.size)
}

function makeLists({ inputs }: Kind, size: number): InputData[] | undefined {
  const next = createRandom(1).fraction
  if (inputs.every(({ access }) => access === 'item')) return undefined
  return inputs.map((port) => makeInput(port, port.access === 'item' ? 1 : size, next))
}

function makeItems({ inputs }: Kind, size: number): InputData[] | undefined {
  const next = createRandom(1).fraction
  if (inputs.every(({ access }) => access !== 'item')) return undefined
  return inputs.map((port) => makeInput(port, port.access === 'item' ? size : SHORT_LIST, next))
}

function makeParts({ inputs }: Kind, size: number): InputData[] | undefined {
  const next = createRandom(1).fraction
  const large = inputs.map(({ access, type }) =>
    access === 'item' ? makeLarge(type, size, next) : undefined,
  )
  if (large.every((value) => value === undefined)) return undefined
  return inputs.map((port, i) => large[i] ?? makeInput(port, 1, next))
}

/** Makes values for an input: a branch for each if it takes trees, otherwise a list. */
function makeInput({ type, access }: PortSpec, size: number, next: Next): InputData {
  const values = makeMany(type, size, next)
  return access === 'tree' ? Object.fromEntries(values.map((value, i) => [`{0;${i}}`, [value]])) : values
}
