import type { DocumentId, SolutionId } from '@meadow/contract'
import { createPlatformId, type ValueLocation, toLocationKey } from '@meadow/model'
import type { GeometryByPlace } from './add-geometry.ts'
import { JsonCursor } from './json-cursor.ts'
import { walkValues } from './walk-values.ts'

/** What a BIM object document tells beside its objects. */
export interface BimFacts {
  documentId: DocumentId
  solutionId: SolutionId
  units: string
}

/** What a port is called in the model file; empty when it is not known any more. */
export type NamePort = (nodeInstanceId: string, portInstanceId: string) => string

/** The BIM object document (decision 26) of the solution in `body`, in pieces: an object per value. */
export function* writeObjects(
  body: Buffer,
  facts: BimFacts,
  geometry: GeometryByPlace,
  namePort: NamePort,
): Generator<Uint8Array | string> {
  const { documentId, solutionId, units } = facts
  const head = { format: 'bimz', version: 1, documentId, solutionId, units }
  yield `${JSON.stringify(head).slice(0, -1)},"objects":{`
  let separator = ''
  const cursor = new JsonCursor(body)
  for (const key of cursor.keys()) {
    if (key !== 'data') {
      cursor.skip()
      continue
    }
    for (const { start, end, ...place } of walkValues(cursor)) {
      const id = createPlatformId(documentId, place)
      const name = nameOf(place, namePort(place.nodeInstanceId, place.portInstanceId))
      yield `${separator}"${id}":{"id":"${id}","name":${JSON.stringify(name)},`
      // Type and value, as they stand.
      yield body.subarray(start + 1, end - 1)
      yield `,"geometry":${JSON.stringify(geometry.get(toLocationKey(place)) ?? null)},${JSON.stringify(place).slice(1)}`
      separator = ','
    }
  }
  yield '}}'
}

/** As objects are called in the model file. */
const nameOf = ({ path, index }: ValueLocation, port: string) => `${port} ${path}[${index}]`.trimStart()
