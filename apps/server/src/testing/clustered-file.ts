import { randomBytes } from 'node:crypto'
import { type Chunk, type Item, writeArchive } from '@meadow/grasshopper'
import { chunk, createObjectList, item, writeDefinitionFile } from './definition-file.ts'

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const NUMBER = '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312'
const POINT = 'fbac3e32-f100-4292-8692-77240a42fd1a'
const CONSTRUCT_POINT = '3581f42a-9592-4549-bd6b-1c0fc39d067b'
const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'
const CLUSTER_INPUT = '448de216-3a12-43cf-a135-e3bfafc87744'
const CLUSTER_OUTPUT = 'a4b285fe-2e13-4204-b65c-189aa6704da5'

const toId = (number: number) => `00000000-0000-4000-8000-${number.toString().padStart(12, '0')}`

/** The cluster of `createClusteredFile`, and the port that gives its point. */
export const CLUSTERED = { cluster: toId(2), output: toId(4) } as const

/**
 * The bytes of a definition with a cluster that is given 3 by a panel, multiplies it in a cluster that is in it, and
 * gives the point whose coordinates are all that. Only the bytes of the innermost cluster contain the factor.
 */
export function createClusteredFile(
  factor: number,
  { pointClass = CONSTRUCT_POINT }: { pointClass?: string } = {},
): Uint8Array {
  return writeDefinitionFile([
    createParameter(PANEL, 1, undefined, [item('UserText', 'string', '3')]),
    createPointCluster(factor, pointClass),
  ])
}

/**
 * The bytes of a .ghuser file that places the cluster of `createClusteredFile`, in the tab Team. Its object is large enough
 * to be kept in the blob store.
 */
export function createClusterItem(name: string, factor: number): Uint8Array {
  const { items, chunks } = createPointCluster(factor, CONSTRUCT_POINT).chunks[0]!
  const names = [item('Name', 'string', name), item('NickName', 'string', name)]
  const padding = item('Padding', 'bytearray', randomBytes(20_000))
  const object = chunk('UserObject', [...names, ...items, padding], chunks)
  const facts = [
    item('Description', 'string', 'Multiplies all that'),
    item('Category', 'string', 'Team'),
    item('SubCategory', 'string', 'Points'),
    item('BaseID', 'guid', CLUSTER),
    item('Object', 'bytearray', writeArchive({ root: object }, { form: 'gh' })),
  ]
  return writeArchive({ root: chunk('UserObject', [...names, ...facts]) }, { form: 'gh' })
}

function createPointCluster(factor: number, pointClass: string): Chunk {
  const innermost = [
    createParameter(CLUSTER_INPUT, 10),
    createParameter(NUMBER, 11, 10, [item('InternalExpression', 'string', `x*${factor}`)]),
    createParameter(CLUSTER_OUTPUT, 12, 11),
  ]
  const within = [
    createParameter(CLUSTER_INPUT, 20),
    createCluster(
      21,
      { port: 22, hook: 10, from: 20, type: NUMBER },
      { port: 23, hook: 12, type: NUMBER },
      innermost,
    ),
    createObject(
      pointClass,
      24,
      [],
      [
        ...[25, 26, 27].map((id, i) => createPort('param_input', i, id, 23)),
        createPort('param_output', 0, 28),
      ],
    ),
    createParameter(CLUSTER_OUTPUT, 29, 28),
  ]
  return createCluster(
    2,
    { port: 3, hook: 20, from: 1, type: NUMBER },
    { port: 4, hook: 29, type: POINT },
    within,
  )
}

interface ClusterPort {
  port: number
  /** Its counterpart inside the cluster. */
  hook: number
  from?: number
  type: string
}

/** A cluster of one input and one output. */
function createCluster(id: number, input: ClusterPort, output: ClusterPort, objects: Chunk[]): Chunk {
  const clusterArchive = writeArchive(
    { root: chunk('Document', [], [createObjectList(objects)]) },
    { form: 'gh' },
  )
  const links = [input, output].flatMap(({ port, hook }, i) => [
    item('Key', 'guid', toId(port), i),
    item('Value', 'guid', toId(hook), i),
  ])
  const data = chunk(
    'ParameterData',
    [
      item('InputCount', 'int32', 1),
      item('InputId', 'guid', input.type, 0),
      item('OutputCount', 'int32', 1),
      item('OutputId', 'guid', output.type, 0),
    ],
    [createPort('InputParam', 0, input.port, input.from), createPort('OutputParam', 0, output.port)],
  )
  return createObject(
    CLUSTER,
    id,
    [item('ClusterDocument', 'bytearray', clusterArchive)],
    [chunk('ParamMap', [item('Count', 'int32', 2), ...links]), data],
  )
}

const createParameter = (classId: string, id: number, from?: number, items: Item[] = []): Chunk =>
  createObject(classId, id, [...listSources(from), ...items])

function createObject(classId: string, id: number, items: Item[], chunks: Chunk[] = []): Chunk {
  const container = chunk('Container', [item('InstanceGuid', 'guid', toId(id)), ...items], chunks)
  return chunk('Object', [item('GUID', 'guid', classId)], [container])
}

const createPort = (name: string, index: number, id: number, from?: number): Chunk =>
  chunk(name, [item('InstanceGuid', 'guid', toId(id)), ...listSources(from)], [], index)

const listSources = (from: number | undefined): Item[] => [
  item('SourceCount', 'int32', from === undefined ? 0 : 1),
  ...(from === undefined ? [] : [item('Source', 'guid', toId(from), 0)]),
]
