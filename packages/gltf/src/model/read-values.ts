import type { DataTree, DataValue } from '@meadow/contract'
import type { BimInput, BimObjectInput, SolutionInput } from './inputs.ts'

/** The place of a value in a solution, as in the API. */
export interface Place {
  nodeInstanceId: string
  portInstanceId: string
  /** The path of the branch, such as `{0;1}`. */
  path: string
  /** The position in the branch, from 0. */
  index: number
}

/** The values of a port, in the order of the response. */
export interface PortValues {
  nodeInstanceId: string
  portInstanceId: string
  /** The name of the port, which only a BIM document has. */
  name?: string
  branches: ValueBranch[]
}

export interface ValueBranch {
  path: string
  values: (DataValue | null)[]
  /** The platform ids of the values, in a BIM document. */
  ids?: string[]
}

export const isBimDocument = (solution: SolutionInput | BimInput): solution is BimInput =>
  'format' in solution && solution.format === 'bimz'

/** Reads the values of a solution in either form, port by port. */
export function readValues(solution: SolutionInput | BimInput): PortValues[] {
  return isBimDocument(solution) ? readObjects(solution) : readTrees(solution)
}

function readTrees({ data }: SolutionInput): PortValues[] {
  const { solutionId: _, ...nodes } = data
  const trees = nodes as Record<string, Record<string, DataTree>>
  return Object.entries(trees).flatMap(([nodeInstanceId, ports]) =>
    Object.entries(ports).map(([portInstanceId, { branches }]) => ({
      nodeInstanceId,
      portInstanceId,
      branches,
    })),
  )
}

/**
 * The maximum number of nulls that a BIM document may leave out: more do not fit into memory, so its positions must be
 * wrong.
 */
const MAX_NULLS = 2 ** 24

/**
 * Reads the objects of a BIM document, and restores the nulls that it leaves out. It leaves out branches without values
 * too. Throws a `TypeError` for positions that no list has.
 */
function readObjects({ objects }: BimInput): PortValues[] {
  const ports = new Map<string, PortValues>()
  let branch: ValueBranch | undefined
  let port: PortValues | undefined
  let nulls = 0
  for (const object of Object.values(objects)) {
    const { nodeInstanceId, portInstanceId, path, index, geometry, id } = object
    if (port?.nodeInstanceId !== nodeInstanceId || port.portInstanceId !== portInstanceId) {
      const key = JSON.stringify([nodeInstanceId, portInstanceId])
      port = ports.get(key) ?? { nodeInstanceId, portInstanceId, name: toPortName(object), branches: [] }
      ports.set(key, port)
      branch = undefined
    }
    if (branch?.path !== path) {
      branch = { path, values: [], ids: [] }
      port.branches.push(branch)
    }
    nulls += Math.max(0, index - branch.values.length)
    if (!Number.isSafeInteger(index) || nulls > MAX_NULLS)
      throw new TypeError(`The position of the value ${id} cannot be ${index}: that is not a BIM document.`)
    while (branch.values.length < index) {
      branch.values.push(null)
      branch.ids!.push('')
    }
    const { type, value } = object
    branch.values.push({ type, value, ...(geometry && { geometry }) } as DataValue)
    branch.ids!.push(id)
  }
  return [...ports.values()]
}

/** Returns the name of the port of an object, whose name consists of that and its position. */
const toPortName = ({ name, path, index }: BimObjectInput): string =>
  name.endsWith(`${path}[${index}]`) ? name.slice(0, -`${path}[${index}]`.length).trim() : name
