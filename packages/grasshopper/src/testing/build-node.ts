import {
  createDataTree,
  createRecord,
  type DataValue,
  findCanvasObject,
  findComponent,
  findParameterType,
  type LibraryPort,
  type Node,
  type NodeState,
  type Port,
} from '@meadow/document'
import { buildId } from './build-archive.ts'

interface NodeParts {
  position?: Node['position']
  nickName?: string
  state?: NodeState
  /** The values chosen on it, or its literal values. */
  values?: readonly DataValue[]
}

/** The node of a new object of a class in the component library. `number`: its id; its ports have the following ones. */
export function buildNode(templateId: string, number: number, parts: NodeParts = {}): Node {
  const component = findComponent(templateId)
  if (component) return buildComponent(templateId, number, component.inputs, component.outputs, parts)
  const type = findParameterType(templateId)
  const object = findCanvasObject(templateId)
  const kind = type ?? object
  if (!kind) throw new Error(`The component library has no ${templateId}.`)
  const sides = object?.parameter ?? { typeName: kind.name, hasInput: true, hasOutput: true }
  const id = buildId(number)
  const { values = [] } = parts
  const node = buildBare(templateId, number, kind.name, parts)
  const { name, nickName } = node
  return {
    ...node,
    inputs: createRecord(sides.hasInput ? [[id, 0]] : []),
    outputs: createRecord(sides.hasOutput ? [[id, 0]] : []),
    values: createRecord(values.length > 0 ? [[id, createDataTree([{ path: [0], values }])]] : []),
    ports: createRecord([[id, { name, nickName, typeName: sides.typeName, access: 'item', flags: [] }]]),
  }
}

/** A component with these ports. */
export function buildComponent(
  templateId: string,
  number: number,
  inputs: readonly LibraryPort[],
  outputs: readonly LibraryPort[],
  parts: NodeParts = {},
): Node {
  const ins = inputs.map((port, i) => ({ id: buildId(number + 1 + i), port }))
  const outs = outputs.map((port, i) => ({ id: buildId(number + 1 + inputs.length + i), port }))
  const name = findComponent(templateId)?.name ?? 'Script'
  return {
    ...buildBare(templateId, number, name, parts),
    inputs: createRecord(ins.map(({ id }, order) => [id, order])),
    outputs: createRecord(outs.map(({ id }, order) => [id, order])),
    values: createRecord(
      ins
        .filter(({ port }) => port.defaults.length > 0)
        .map(({ id, port }) => [id, createDataTree([{ path: [0], values: port.defaults }])]),
    ),
    ports: createRecord([...ins, ...outs].map(({ id, port }) => [id, toPort(port)])),
  }
}

function buildBare(templateId: string, number: number, name: string, parts: NodeParts): Node {
  return {
    instanceId: buildId(number),
    templateId,
    name,
    nickName: parts.nickName ?? name,
    position: parts.position ?? { x: 0, y: 0 },
    status: { isEnabled: true, isPreviewed: true },
    inputs: createRecord(),
    outputs: createRecord(),
    sources: createRecord(),
    values: createRecord(),
    ports: createRecord(),
    ...(parts.state ? { state: { ...parts.state } } : {}),
  }
}

function toPort({ name, nickName, typeName, access, isOptional }: LibraryPort): Port {
  return { name, nickName, typeName, access, flags: [], ...(isOptional ? { options: ['optional'] } : {}) }
}
