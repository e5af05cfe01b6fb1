import type { EncodedGeometry, GraphContent } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import type { DecodeGeometry } from '@meadow/geometry/values/decode-value'
import type { Geometry } from '@meadow/geometry/values/value'
import type { ModelLibrary } from '../worker/model-library.ts'

/** Decodes the literal geometry of a document and of its clusters in advance, because the solver is synchronous. */
export async function decodeLiterals(
  content: GraphContent,
  clusters: ClusterContents,
  library: Pick<ModelLibrary, 'decode'>,
  decodedAlready: ReadonlyMap<EncodedGeometry, Geometry> = new Map(),
): Promise<DecodeGeometry> {
  const all = [...listLiterals(content), ...listClusterLiterals(clusters)]
  const encoded = all.filter((geometry) => !decodedAlready.has(geometry))
  const decoded = await library.decode(encoded)
  const known = new Map<EncodedGeometry, Geometry | undefined>(decodedAlready)
  for (const [index, geometry] of encoded.entries()) known.set(geometry, decoded[index])
  return (geometry) => known.get(geometry)
}

function* listLiterals({ nodes }: GraphContent): Generator<EncodedGeometry> {
  for (const { values } of Object.values(nodes)) {
    for (const { branches } of Object.values(values)) {
      for (const branch of branches) {
        for (const value of branch.values) if (value?.geometry) yield value.geometry
      }
    }
  }
}

function* listClusterLiterals(clusters: ClusterContents): Generator<EncodedGeometry> {
  for (const cluster of clusters.values()) {
    if ('unknown' in cluster) continue
    yield* listLiterals(cluster.content)
    yield* listClusterLiterals(cluster.clusters)
  }
}
