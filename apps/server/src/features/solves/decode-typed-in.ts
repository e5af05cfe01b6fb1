import type { EncodedGeometry, GraphContent } from '@meadow/contract'
import type { ModelLibrary } from '@meadow/model'
import type { DecodeGeometry } from '@meadow/solver'

/** Reads all typed-in geometry of a document, so that the solver, which waits for nothing, finds it done. */
export async function decodeTypedIn(content: GraphContent, library: ModelLibrary): Promise<DecodeGeometry> {
  const encoded = [...listTypedIn(content)]
  const decoded = await library.decode(encoded)
  const known = new Map(encoded.map((geometry, at) => [geometry, decoded[at]]))
  return (geometry) => known.get(geometry)
}

function* listTypedIn({ nodes }: GraphContent): Generator<EncodedGeometry> {
  for (const { values } of Object.values(nodes)) {
    for (const { branches } of Object.values(values)) {
      for (const branch of branches) {
        for (const value of branch.values) if (value?.geometry) yield value.geometry
      }
    }
  }
}
