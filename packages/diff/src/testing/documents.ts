import type { GraphContent } from '@meadow/document'
import fc, { type GeneratorValue } from 'fast-check'
import { listSamples } from '../../../grasshopper/src/archive/testing/samples.ts'
import { readDefinition } from '../../../grasshopper/src/index.ts'
import { editAtRandom } from '../../../grasshopper/src/testing/edit-at-random.ts'

const EMPTY: GraphContent = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }

/** Real definitions that are small enough to be read and edited many times. */
export const samples = listSamples('gh', 'ghx').filter(({ bytes }) => bytes.length < 60_000)

const read = new Map<number, GraphContent>()

/** A document to edit: a real definition where there are any, otherwise a generated one. */
export function anyDocument(g: GeneratorValue): GraphContent {
  const isReal = samples.length > 0 && g(fc.nat, { max: 4 }) > 0
  return isReal ? readSample(g(fc.nat, { max: samples.length - 1 })) : editAtRandom(EMPTY, g, 40)
}

function readSample(number: number): GraphContent {
  const known = read.get(number)
  if (known) return known
  const { content } = readDefinition(samples[number]!.bytes)
  read.set(number, content)
  return content
}
