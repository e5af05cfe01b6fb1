import type { GraphContent, SolutionMessage } from '@meadow/contract'
import { describeCause, type EditorSolution, type UnsolvableNode } from '@meadow/contract/web'
import { labelOf } from '../graph/layout/node-box.ts'

/** A node that is not solved, or that has a message. */
export interface Finding {
  nodeId: string
  /** The ids of the way from the cluster `nodeId` to a node inside it. */
  inside?: readonly string[]
  label: string
  details: string[]
  /** The node that causes the finding. */
  cause?: { nodeId: string; label: string }
}

/** Findings that have the same cause. */
export interface FindingGroup {
  title: string
  color: 'violet' | 'red' | 'orange' | 'gray' | 'blue'
  findings: Finding[]
  /** Whether the findings are shown only on demand: they follow from others, or need no action. */
  isFolded: boolean
}

interface ListFindingsInput {
  content: GraphContent
  solution: EditorSolution | undefined
  /**
   * The nodes that Meadow cannot solve, whatever their inputs are. They are known even before the document is solved.
   */
  unsolvable: readonly UnsolvableNode[]
}

/**
 * What a document lacks, by cause, and the messages of its other nodes. Each node of the canvas is in one group only,
 * except for a cluster, which is in the group of each cause inside it.
 */
export function listFindings({ content, solution, unsolvable }: ListFindingsInput): FindingGroup[] {
  const { nodes } = content
  const states = solution?.nodes ?? {}
  const messages = (solution?.messages ?? []).filter(({ nodeInstanceId }) => nodes[nodeInstanceId])
  const listed = new Set<string>()
  /** Takes the nodes with a wanted message that are in no group yet, each with all of its messages that are shown. */
  const take = (wanted: (message: SolutionMessage) => boolean): Finding[] => {
    const found = Map.groupBy(messages, ({ nodeInstanceId }) => nodeInstanceId)
    return [...found].flatMap(([nodeId, own]) => {
      if (listed.has(nodeId) || !own.some(wanted)) return []
      listed.add(nodeId)
      const told = own.filter(({ code }) => code !== 'unknown').map(({ message }) => message)
      return [{ nodeId, label: labelOf(nodes[nodeId]!), details: [...new Set(told)] }]
    })
  }

  const missing = listUnsolved({ content, solution, unsolvable })
  const groups = groupByCause(content, missing, messages)
  for (const { nodeInstanceId } of missing) listed.add(nodeInstanceId)

  const depends = (): Finding[] =>
    messages.flatMap(({ nodeInstanceId, code, causeNodeInstanceId }) => {
      if (code !== 'unknown' || listed.has(nodeInstanceId)) return []
      listed.add(nodeInstanceId)
      const cause = nodes[causeNodeInstanceId ?? '']
      const finding = { nodeId: nodeInstanceId, label: labelOf(nodes[nodeInstanceId]!), details: [] }
      return [cause ? { ...finding, cause: { nodeId: cause.instanceId, label: labelOf(cause) } } : finding]
    })
  const bySolver = [...Map.groupBy(Object.keys(nodes), (id) => states[id]?.solver)].flatMap(
    ([solver, ids]) =>
      solver === undefined
        ? []
        : [toGroup(`Solved by ${SOLVER_NAMES[solver] ?? solver}`, 'blue', ids.map(toFinding(content)), true)],
  )
  return [
    ...groups,
    toGroup(
      'Not supported',
      'violet',
      take(({ code }) => code === 'unsupported'),
    ),
    toGroup(
      'Not supported with these inputs',
      'violet',
      take(({ code }) => code === 'limit'),
    ),
    toGroup('Unknown: depends on what is not solved', 'violet', depends(), true),
    toGroup(
      'Errors',
      'red',
      take(({ level }) => level === 'error'),
    ),
    toGroup(
      'Warnings',
      'orange',
      take(({ level }) => level === 'warning'),
    ),
    toGroup(
      'Remarks',
      'gray',
      take(({ level }) => level === 'remark'),
      true,
    ),
    ...bySolver,
  ].filter(({ findings }) => findings.length > 0)
}

/**
 * Lists the nodes that cannot be solved and have no values, without those that are gone, disabled or solved by another
 * solver.
 */
export function listUnsolved({ content, solution, unsolvable }: ListFindingsInput): UnsolvableNode[] {
  return unsolvable.filter(
    ({ nodeInstanceId }) =>
      content.nodes[nodeInstanceId] && !HAS_VALUES.has(solution?.nodes[nodeInstanceId]?.state ?? ''),
  )
}

/** The states of nodes that were solved, by Meadow or by another solver. */
const HAS_VALUES: ReadonlySet<string> = new Set(['solved', 'empty', 'failed', 'disabled'])

const SOLVER_NAMES: Readonly<Record<string, string>> = { 'rhino.compute': 'Rhino.Compute' }

const toGroup = (
  title: string,
  color: FindingGroup['color'],
  findings: Finding[],
  isFolded = false,
): FindingGroup => ({ title, color, findings, isFolded })

const toFinding =
  ({ nodes }: GraphContent) =>
  (nodeId: string): Finding => ({ nodeId, label: labelOf(nodes[nodeId]!), details: [] })

/**
 * Groups nodes by reason. The nodes of a plug-in are in one group, whatever its version. The largest group is first.
 */
function groupByCause(
  { nodes }: GraphContent,
  missing: readonly UnsolvableNode[],
  messages: readonly SolutionMessage[],
): FindingGroup[] {
  /** What another solver said about a node that it could not solve either. */
  const explain = (nodeId: string) =>
    messages.flatMap(({ nodeInstanceId, code, message }) =>
      nodeInstanceId === nodeId && code === 'note' ? [message] : [],
    )
  const byCause = Map.groupBy(missing, ({ kind, reason, library }) =>
    describeCause({ kind, reason, ...(library && { library: { name: library.name } }) }),
  )
  return [...byCause]
    .map(([cause, ofCause]) => {
      const versions = [...new Set(ofCause.flatMap(({ library }) => library?.version ?? []))]
      const title = [cause, versions.toSorted().join(', ')].filter(Boolean).join(' ')
      const findings = ofCause.map(({ nodeInstanceId, name, cluster, inside }): Finding => {
        const label = cluster === undefined ? labelOf(nodes[nodeInstanceId]!) : name
        const details =
          cluster === undefined ? [name].filter((name) => name !== label) : [`In the cluster ${cluster}`]
        return {
          nodeId: nodeInstanceId,
          ...(inside && { inside }),
          label,
          details: [...details, ...explain(nodeInstanceId)],
        }
      })
      return toGroup(title, 'violet', findings)
    })
    .sort((a, b) => b.findings.length - a.findings.length)
}
