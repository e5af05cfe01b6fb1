import type { Chunk, Item } from '../archive/tree/archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { CLASS } from '../definition/model/class-ids.ts'
import { buildArchive, buildChunk, buildId, buildItem, buildObject, buildPort } from './build-archive.ts'

export const NUMBER_CLASS = '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312'

interface ClusterParts {
  id: number
  name?: string
  /** For each port, the number of its id and that of the object that stands for it in the cluster. */
  inputs?: readonly (readonly [port: number, hook: number])[]
  outputs?: readonly (readonly [port: number, hook: number])[]
  /** The bytes of its ClusterDocument; undefined for none. */
  content?: Uint8Array | undefined
  more?: readonly (Item | Chunk)[]
}

/** A cluster object whose ports are numbers. */
export function buildCluster({
  id,
  name = 'Cluster',
  inputs = [],
  outputs = [],
  content,
  more = [],
}: ClusterParts): Chunk {
  const map = [...inputs, ...outputs].flatMap(([port, hook], i) => [
    buildItem('guid', 'Key', buildId(port), i),
    buildItem('guid', 'Value', buildId(hook), i),
  ])
  const container = [
    ...more,
    ...(content ? [buildItem('bytearray', 'ClusterDocument', content)] : []),
    buildChunk('ParamMap', [buildItem('int32', 'Count', map.length / 2), ...map]),
    buildChunk('ParameterData', [
      buildItem('int32', 'InputCount', inputs.length),
      ...inputs.map((_, i) => buildItem('guid', 'InputId', NUMBER_CLASS, i)),
      buildItem('int32', 'OutputCount', outputs.length),
      ...outputs.map((_, i) => buildItem('guid', 'OutputId', NUMBER_CLASS, i)),
      ...inputs.map(([port], i) => buildPort('InputParam', i, port)),
      ...outputs.map(([port], i) => buildPort('OutputParam', i, port)),
    ]),
  ]
  return buildObject({ guid: CLASS.cluster, id, name, container })
}

/** The bytes of a ClusterDocument with these objects. */
export function buildContent(objects: readonly Chunk[]): Uint8Array {
  const definition = buildArchive(objects).root.chunks[0]!
  return writeArchive({ root: { ...definition, name: 'Document' } }, { form: 'gh' })
}
