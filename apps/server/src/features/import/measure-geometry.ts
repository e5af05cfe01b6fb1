import type { DataValue, GraphContent } from '@meadow/contract'
import type { GeometryMeasurer } from '@meadow/model'

type GeometricValue = Extract<DataValue, { value: { boundingBox: unknown } }>

/** So many objects go to the library at a time: their bytes are copied on the way. */
const BATCH = 100

/** Puts in how far each typed-in object of geometry extends, which its file does not say (decision 22). */
export async function measureGeometry(content: GraphContent, measurer: GeometryMeasurer): Promise<void> {
  const values = listGeometry(content)
  for (let start = 0; start < values.length; start += BATCH) {
    const batch = values.slice(start, start + BATCH)
    const boxes = await measurer.measure(batch.map(({ geometry }) => geometry!))
    for (const [i, { value }] of batch.entries()) value.boundingBox = boxes[i] ?? null
  }
}

function listGeometry(content: GraphContent): GeometricValue[] {
  return Object.values(content.nodes)
    .flatMap(({ values }) => Object.values(values))
    .flatMap(({ branches }) => branches)
    .flatMap(({ values }) => values)
    .filter((value): value is GeometricValue => isGeometric(value) && value.geometry !== undefined)
}

const isGeometric = (value: DataValue | null): value is GeometricValue =>
  typeof value?.value === 'object' && 'boundingBox' in value.value
