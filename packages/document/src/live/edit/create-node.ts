import type { DataTree, DataValue, Node, Port } from '@meadow/contract'
import { uuidv4 } from 'lib0/random'
import {
  findCanvasObject,
  findComponent,
  findParameterType,
  findScript,
} from '../../component-library/component-library.ts'
import type { LibraryPort } from '../../component-library/port-notation.ts'
import { createDataTree } from '../../graph/data-tree.ts'
import { createRecord } from '../../graph/record.ts'
import { LiveEditError } from './edit-error.ts'
import { findInitialState } from './initial-state.ts'

interface NewNode {
  /** The position of the node in canvas units. */
  position: Node['position']
  /** The nickname; by default that of the component library. */
  nickName?: string
}

/**
 * A new node of a class in the component library, with its ports and their defaults, under new ids; for `addNodes`.
 * Throws a `LiveEditError` for a GUID whose ports the library does not know.
 */
export function createNode(templateId: string, { position, nickName }: NewNode): Node {
  const nodeClass = findClass(templateId.toLowerCase())
  if (!nodeClass)
    throw new LiveEditError('not_found', `No kind of node ${templateId} is known with its ports.`)
  const instanceId = uuidv4()
  const { state, values } = findInitialState(nodeClass.guid)
  return {
    instanceId,
    templateId: nodeClass.guid,
    name: nodeClass.name,
    nickName: nickName ?? nodeClass.nickName,
    position,
    status: { isEnabled: true, isPreviewed: true },
    ...('parameter' in nodeClass ? createOwnPort(instanceId, nodeClass, values) : createPorts(nodeClass)),
    ...(state ? { state: { ...state } } : {}),
  }
}

interface Named {
  guid: string
  name: string
  nickName: string
}

/** A class of nodes that can be created, with its ports. */
type ComponentLike = Named & { inputs: readonly LibraryPort[]; outputs: readonly LibraryPort[] }
type ParameterLike = Named & {
  parameter: { typeName: string; hasInput: boolean; hasOutput: boolean }
}
type NodeClass = ComponentLike | ParameterLike

/** The class with this GUID, in lower case; undefined if its ports are not known. */
function findClass(guid: string): NodeClass | undefined {
  const component = findComponent(guid)
  if (component) return component
  const type = findParameterType(guid)
  if (type) return { ...type, parameter: { typeName: type.name, hasInput: true, hasOutput: true } }
  const object = findCanvasObject(guid)
  if (object?.parameter) return { ...object, parameter: object.parameter }
  const bare = object ?? findScript(guid)
  // A new script has no ports yet; scribbles and the like never have any.
  return bare && { guid, name: bare.name, nickName: bare.name, inputs: [], outputs: [] }
}

type Ports = Pick<Node, 'inputs' | 'outputs' | 'sources' | 'values' | 'ports'>

/** A parameter object is one port with its node's id (decision 0007). */
function createOwnPort(id: string, { name, nickName, parameter }: ParameterLike, values: DataValue[]): Ports {
  const { typeName, hasInput, hasOutput } = parameter
  return {
    inputs: createRecord(hasInput ? [[id, 0]] : []),
    outputs: createRecord(hasOutput ? [[id, 0]] : []),
    sources: createRecord(),
    values: createRecord(values.length > 0 ? [[id, toTree(values)]] : []),
    ports: createRecord([[id, { name, nickName, typeName, access: 'item', flags: [] } satisfies Port]]),
  }
}

function createPorts({ inputs, outputs }: ComponentLike): Ports {
  const withId = (port: LibraryPort) => ({ id: uuidv4(), port })
  const [ins, outs] = [inputs.map(withId), outputs.map(withId)]
  return {
    inputs: createRecord(ins.map(({ id }, order) => [id, order])),
    outputs: createRecord(outs.map(({ id }, order) => [id, order])),
    sources: createRecord(),
    values: createRecord(
      ins.flatMap(({ id, port }) => (port.defaults.length > 0 ? [[id, toTree(port.defaults)] as const] : [])),
    ),
    ports: createRecord([
      ...ins.map(({ id, port }) => [id, toPort(port)] as const),
      ...outs.map(({ id, port }) => [id, toPort({ ...port, isOptional: false })] as const),
    ]),
  }
}

function toPort({ name, nickName, typeName, access, isOptional }: LibraryPort): Port {
  return { name, nickName, typeName, access, flags: [], ...(isOptional ? { options: ['optional'] } : {}) }
}

const toTree = (values: readonly DataValue[]): DataTree => createDataTree([{ path: [0], values }])
