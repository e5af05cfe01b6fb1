import type { DataTree, DataValue } from '@meadow/contract'
import type { BimInput, BimObjectInput, SolutionInput } from './inputs.ts'

/** Where a value is in a solution, as in the API. */
export interface Place {
  nodeInstanceId: string
  portInstanceId: string
  /** Of the branch, such as `{0;1}`. */
  path: string
  /** In the branch, from 0. */
  index: number
}

/** What a port holds, in the order of the answer. */
export interface PortValues {
  nodeInstanceId: string
  portInstanceId: string
  /** In a BIM document. */
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

/** The values of both forms of a solution, port by port. */
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

/** How many nulls a BIM document may leave out: more do not fit into memory, so that its positions are wrong. */
const MAX_NULLS = 2 ** 24

/**
 * A BIM document leaves out nulls and branches without values. The nulls are restored.
 * Throws a `TypeError` for positions that no list has.
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

/** The name of an object is that of its port and its position. */
const toPortName = ({ name, path, index }: BimObjectInput): string =>
  name.endsWith(`${path}[${index}]`) ? name.slice(0, -`${path}[${index}]`.length).trim() : name
