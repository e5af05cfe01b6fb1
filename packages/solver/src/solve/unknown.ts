import type { Cause, MessageLog } from './messages.ts'
import type { PreparedNode } from './prepare-graph.ts'
import type { Data, PortData, SolveContext } from './solve-context.ts'

/*
 * Unknown data (rules U-1 to U-6): what Grasshopper would compute and Meadow cannot. It has no branches, like the data of
 * a node that did not run, but no node consumes it.
 */

interface UnknownData extends Data {
  readonly branches: readonly []
  readonly cause: Cause
}

/** Why data is unknown; undefined for known data. */
export function findCause(data: Data | undefined): Cause | undefined {
  return data && 'cause' in data ? (data as UnknownData).cause : undefined
}

export function createUnknown(cause: Cause): UnknownData {
  return { branches: [], cause }
}

/**
 * Returns the outputs of a node that could not be solved, or depends on one. They include the single port of a
 * parameter that is only an input, such as a Cluster Output.
 */
export function unknownOutputs({ node, inputs, outputs }: PreparedNode, cause = createCause(node)): PortData {
  const unknown = createUnknown(cause)
  const own = inputs.filter(({ id }) => id === node.instanceId)
  return new Map([...outputs, ...own].map(({ id }) => [id, unknown]))
}

export function createCause({ instanceId, nickName, name }: PreparedNode['node']): Cause {
  return { nodeInstanceId: instanceId, name: nickName || name || instanceId }
}

/**
 * Reports the inputs of a node that are unknown, each cause once. Returns the first cause; undefined if all inputs are
 * known.
 */
export function reportUnknownInputs(
  { node, inputs, outputs }: PreparedNode,
  log: MessageLog,
  context: Pick<SolveContext, 'solved'>,
): Cause | undefined {
  let first: Cause | undefined
  for (const { id, port } of inputs.length > 0 ? inputs : outputs) {
    const cause = findUnknownSource(node, id, context)
    if (!cause) continue
    first ??= cause
    const name = port?.nickName || port?.name || id
    log.add('warning', `Input ${name} depends on ${cause.name}, which is not solved`, 'unknown', cause)
  }
  return first
}

/** Why the data of an input is unknown: the cause of its first unknown source. */
export function findUnknownSource(
  { sources }: PreparedNode['node'],
  portId: string,
  { solved }: Pick<SolveContext, 'solved'>,
): Cause | undefined {
  for (const { nodeInstanceId, portInstanceId } of sources[portId] ?? []) {
    const cause = findCause(solved.get(nodeInstanceId)?.get(portInstanceId))
    if (cause) return cause
  }
  return undefined
}
