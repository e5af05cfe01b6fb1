import type { EncodedGeometry, GraphContent } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import type { ModelLibrary } from '@meadow/model'
import type { DecodeGeometry } from '@meadow/solver'

/**
 * Reads all geometry that is typed in in a document and inside its clusters, so that the solver, which waits for
 * nothing, finds it done.
 */
export async function decodeTypedIn(
  content: GraphContent,
  insides: ClusterContents,
  library: ModelLibrary,
): Promise<DecodeGeometry> {
  const encoded = [...listTypedIn(content), ...listInside(insides)]
  const decoded = await library.decode(encoded)
  const known = new Map(encoded.map((geometry, at) => [geometry, decoded[at]]))
  return (geometry) => known.get(geometry)
}

function* listInside(insides: ClusterContents): Generator<EncodedGeometry> {
  for (const inside of insides.values()) {
    if ('unknown' in inside) continue
    yield* listTypedIn(inside.content)
    yield* listInside(inside.clusters)
  }
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
