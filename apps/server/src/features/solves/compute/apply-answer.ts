import type { GraphContent, NodeState } from '@meadow/contract'
import type { ModelLibrary } from '@meadow/model'
import { countCompleteness, type Data, type Solution, type SolutionMessage } from '@meadow/solver'
import type { AskedNode, ComputePlan } from './ask-compute.ts'
import { listDependents } from './list-dependents.ts'
import type { ComputeAnswer } from './read-answer.ts'
import { type OutputData, readOutputs } from './read-outputs.ts'

/** The name of the second solver in a solution (decision 35). */
export const RHINO_COMPUTE = 'rhino.compute'

/** A solution, and who solved the nodes that Meadow did not. */
export interface SharedSolution extends Solution {
  /** Who solved the nodes that Meadow did not, by node id. */
  solvers: ReadonlyMap<string, typeof RHINO_COMPUTE>
}

/** What was asked, and the classes of it that the server does not have. */
export interface AnsweredPlan {
  plan: ComputePlan
  missingClassIds: readonly string[]
}

const EMPTY: Data = { branches: [] }

/**
 * Fills the nodes that Meadow could not solve with what a Rhino.Compute server made of them. A node that the server does
 * not have, and a script or plug-in that failed there without a value, stays as it is with a message that says so, and
 * with it everything that depends on it: the server computed that from nothing.
 */
export async function applyAnswer(
  content: GraphContent,
  solution: Solution,
  { plan, missingClassIds: missing, answer }: AnsweredPlan & { answer: ComputeAnswer },
  library: Pick<ModelLibrary, 'decode'>,
): Promise<SharedSolution> {
  const outputs = await readOutputs(plan, answer, library)
  const missingClassIds = new Set(missing)
  const failures = new Map<string, SolutionMessage[]>()
  for (const node of plan.nodes) {
    const messages = findFailure(node, { outputs, answer, missingClassIds })
    if (messages.length > 0) failures.set(node.nodeId, messages)
  }
  const unsolved = listDependents(content, failures.keys())
  const solved = plan.nodes.filter(({ nodeId }) => !unsolved.has(nodeId))
  const solvedIds = new Set(solved.map(({ nodeId }) => nodeId))

  const ports = new Map(solution.ports)
  const states = new Map(solution.states)
  const messages = solution.messages.filter(
    ({ nodeInstanceId, causeNodeInstanceId }) =>
      !solvedIds.has(nodeInstanceId) && !(causeNodeInstanceId && solvedIds.has(causeNodeInstanceId)),
  )
  for (const node of solved) {
    const own = new Map(solution.ports.get(node.nodeId))
    for (const { portId } of node.ports) own.set(portId, outputs.get(portId) ?? EMPTY)
    ports.set(node.nodeId, own)
    const told = listMessages(node, outputs, answer)
    messages.push(...told)
    states.set(node.nodeId, findState(told, own.values()))
  }
  messages.push(...[...failures.values()].flat(), ...nameNewCauses(content, states, messages))
  return {
    ...solution,
    ports,
    states,
    messages,
    completeness: countCompleteness(states, content),
    solvers: new Map(
      solved.flatMap(({ nodeId }) => (states.get(nodeId) === 'unsupported' ? [] : [[nodeId, RHINO_COMPUTE]])),
    ),
  }
}

interface Findings {
  outputs: ReadonlyMap<string, OutputData>
  answer: ComputeAnswer
  missingClassIds: ReadonlySet<string>
}

/** Why the server has not solved a node; empty when it has. */
function findFailure(
  { nodeId, classId, innerClassIds, isEnvironmental, ports }: AskedNode,
  { outputs, answer, missingClassIds }: Findings,
): SolutionMessage[] {
  const explain = (message: string): SolutionMessage => ({
    nodeInstanceId: nodeId,
    level: 'warning',
    code: 'note',
    message,
  })
  if (innerClassIds.some((id) => missingClassIds.has(id)))
    return [explain('The Rhino.Compute server does not have all components of this cluster')]
  const trees = ports.map(({ portId }) => outputs.get(portId))
  const isSilent = trees.every((tree) => tree !== undefined && tree.branches.length === 0)
  if (isSilent && classId !== undefined && missingClassIds.has(classId))
    return [explain('The Rhino.Compute server does not have this component')]
  const hasNothing = !trees.some((tree) => tree === undefined || hasValues(tree))
  const errors = answer.errors.get(nodeId.toLowerCase()) ?? []
  return hasNothing && isEnvironmental ? errors.map((error) => explain(`Rhino.Compute: ${error}`)) : []
}

function hasValues({ branches }: Data): boolean {
  return branches.some(({ values }) => values.some((value) => value !== null))
}

/** What Grasshopper reported on a node that the server solved, and what of it did not come. */
function listMessages(
  { nodeId, ports }: AskedNode,
  outputs: Findings['outputs'],
  { errors, warnings }: ComputeAnswer,
): SolutionMessage[] {
  const nodeInstanceId = nodeId
  const id = nodeId.toLowerCase()
  const messages: SolutionMessage[] = [
    ...(errors.get(id) ?? []).map(
      (message) => ({ nodeInstanceId, level: 'error', code: 'failed', message }) as const,
    ),
    ...(warnings.get(id) ?? []).map(
      (message) => ({ nodeInstanceId, level: 'warning', code: 'note', message }) as const,
    ),
  ]
  const lost = ports.filter(({ portId }) => outputs.get(portId) === undefined)
  if (lost.length > 0) {
    const message =
      'The positions of the values that Rhino.Compute sent could not be recovered, so they are left out: ' +
      `${lost.length} of ${ports.length} outputs`
    messages.push({ nodeInstanceId, level: 'error', code: 'limit', message })
  }
  const isEmpty = ports.length > 0 && !ports.some(({ portId }) => hasValues(outputs.get(portId) ?? EMPTY))
  if (messages.length === 0 && isEmpty)
    messages.push({
      nodeInstanceId,
      level: 'remark',
      code: 'empty',
      message: 'There is no result for these inputs',
    })
  return messages
}

function findState(messages: readonly SolutionMessage[], trees: Iterable<Data>): NodeState {
  const codes = new Set(messages.map(({ code }) => code))
  if (codes.has('limit')) return 'unsupported'
  if (codes.has('failed')) return 'failed'
  const all = [...trees]
  return all.length > 0 && !all.some(hasValues) ? 'empty' : 'solved'
}

/** Every unknown node names a cause. Where the one that it named is solved now, another one is left. */
function* nameNewCauses(
  content: GraphContent,
  states: ReadonlyMap<string, NodeState>,
  messages: readonly SolutionMessage[],
): Generator<SolutionMessage> {
  const explained = new Set(
    messages.filter(({ code }) => code === 'unknown').map(({ nodeInstanceId }) => nodeInstanceId),
  )
  for (const [cause, state] of states) {
    if (state !== 'unsupported') continue
    const { nickName, name } = content.nodes[cause]!
    for (const id of listDependents(content, [cause])) {
      if (states.get(id) !== 'unknown' || explained.has(id)) continue
      explained.add(id)
      const message = `It depends on ${nickName || name || cause}, which is not solved`
      yield { nodeInstanceId: id, level: 'warning', code: 'unknown', message, causeNodeInstanceId: cause }
    }
  }
}
