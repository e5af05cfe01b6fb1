import type { DataTree, DataValue, Node, Port } from '@meadow/contract'
import { uuidv4 } from 'lib0/random'
import type { CataloguePort } from '../../catalogue/port-notation.ts'
import { createDataTree } from '../../data-tree.ts'
import { createRecord } from '../../record.ts'
import { findBirth } from './birth.ts'
import { LiveEditError } from './edit-error.ts'
import { type ComponentLike, findKind, type ParameterLike } from './find-kind.ts'

interface NewNode {
  /** In canvas units. */
  position: Node['position']
  /** What the catalogue says unless given. */
  nickName?: string
}

/**
 * A new node of a kind of the catalogue, with its ports, their defaults and ids of its own; for `addNodes`.
 * Throws a `LiveEditError` for a GUID whose ports the catalogue does not have.
 */
export function createNode(templateId: string, { position, nickName }: NewNode): Node {
  const kind = findKind(templateId.toLowerCase())
  if (!kind) throw new LiveEditError('not_found', `No kind of node ${templateId} is known with its ports.`)
  const instanceId = uuidv4()
  const { state, values } = findBirth(kind.guid)
  return {
    instanceId,
    templateId: kind.guid,
    name: kind.name,
    nickName: nickName ?? kind.nickName,
    position,
    status: { isEnabled: true, isPreviewed: true },
    ...('parameter' in kind ? createOwnPort(instanceId, kind, values) : createPorts(kind)),
    ...(state ? { state: { ...state } } : {}),
  }
}

type Ports = Pick<Node, 'inputs' | 'outputs' | 'sources' | 'values' | 'ports'>

/** A parameter object is one port with its node's id (0007). */
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
  const withId = (port: CataloguePort) => ({ id: uuidv4(), port })
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

function toPort({ name, nickName, typeName, access, isOptional }: CataloguePort): Port {
  return { name, nickName, typeName, access, flags: [], ...(isOptional ? { options: ['optional'] } : {}) }
}

const toTree = (values: readonly DataValue[]): DataTree => createDataTree([{ path: [0], values }])
