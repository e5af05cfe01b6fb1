import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import type { GraphContent, SolutionMessage } from '@meadow/contract'
import type { EditorSolution, NodeSummary, UnsolvableNode } from '@meadow/contract/web'
import { KINDS } from '../../testing/kinds.ts'
import { listFindings } from './list-findings.ts'

const create = (nickName: string): Node => createNode(KINDS.addition, { position: { x: 0, y: 0 }, nickName })
const NAMES = ['Script', 'Old robot', 'Robot', 'Behind', 'Fault', 'Loose', 'Fine', 'Limit'] as const
const all = NAMES.map(create)
const id = (name: (typeof NAMES)[number]) => all[NAMES.indexOf(name)]!.instanceId
const content: GraphContent = {
  nodes: Object.fromEntries(all.map((node) => [node.instanceId, node])),
  groups: [],
  configuration: { inputs: [], outputs: [] },
}

const unsolvable: UnsolvableNode[] = [
  { nodeInstanceId: id('Script'), name: 'C# Script', kind: 'script', reason: 'Scripts are not run' },
  ...(['1.6.9', '1.7.0'] as const).map(
    (version): UnsolvableNode => ({
      nodeInstanceId: id(version === '1.6.9' ? 'Old robot' : 'Robot'),
      name: 'Robot System',
      kind: 'plugin',
      reason: 'Robot System is not supported: it belongs to the plug-in Robots',
      library: { name: 'Robots', version },
    }),
  ),
]

const solve = (
  messages: SolutionMessage[],
  states: Record<string, Pick<NodeSummary, 'state' | 'solver'>> = {},
): EditorSolution => ({
  id: 'sol_1' as EditorSolution['id'],
  solvedAt: '2026-01-01T00:00:00.000Z' as EditorSolution['solvedAt'],
  durationMs: 1,
  creditTenths: 1,
  completeness: null,
  messages,
  nodes: Object.fromEntries(Object.entries(states).map(([node, state]) => [node, { ...state, ports: {} }])),
  hasGeometry: false,
  units: 'none',
})

const brief = (groups: ReturnType<typeof listFindings>) =>
  groups.map(({ title, findings }) => [title, ...findings.map(({ label }) => label)])

test('[WEB-44] given messages and unsolvable nodes, when findings are listed, then each node is in one group, and a plug-in is one group in all its versions', () => {
  const solution = solve([
    { nodeInstanceId: id('Script'), level: 'error', code: 'unsupported', message: 'Scripts are not run' },
    { nodeInstanceId: id('Robot'), level: 'error', code: 'unsupported', message: 'Robot System is not …' },
    { nodeInstanceId: id('Limit'), level: 'error', code: 'limit', message: 'Too many sides' },
    {
      nodeInstanceId: id('Behind'),
      level: 'warning',
      code: 'unknown',
      message: 'Script is not solved',
      causeNodeInstanceId: id('Script'),
    },
    { nodeInstanceId: id('Fault'), level: 'warning', code: 'empty', message: 'Input A has no data' },
    { nodeInstanceId: id('Fault'), level: 'error', code: 'failed', message: 'Division by zero' },
    { nodeInstanceId: id('Loose'), level: 'warning', code: 'empty', message: 'Input A has no data' },
  ])
  const groups = listFindings({ content, solution, unsolvable })
  assert.deepEqual(brief(groups), [
    ['Plug-in Robots 1.6.9, 1.7.0', 'Old robot', 'Robot'],
    ['Scripts are not run', 'Script'],
    ['Not supported with these inputs', 'Limit'],
    ['Unknown: depends on what is not solved', 'Behind'],
    ['Errors', 'Fault'],
    ['Warnings', 'Loose'],
  ])
  assert.equal(groups[3]!.findings[0]!.cause!.label, 'Script')
  assert.deepEqual(groups[4]!.findings[0]!.details, ['Input A has no data', 'Division by zero'])
})

test('[WEB-37, WEB-44] given no solution, when findings are listed, then they are the nodes that cannot be solved', () => {
  assert.deepEqual(brief(listFindings({ content, solution: undefined, unsolvable })), [
    ['Plug-in Robots 1.6.9, 1.7.0', 'Old robot', 'Robot'],
    ['Scripts are not run', 'Script'],
  ])
})

test('[WEB-44] given nodes that another solver has solved, when findings are listed, then they are not missing, and the solver is named', () => {
  const solution = solve([], {
    [id('Script')]: { state: 'solved', solver: 'rhino.compute' },
    [id('Robot')]: { state: 'unsupported' },
  })
  assert.deepEqual(brief(listFindings({ content, solution, unsolvable })), [
    ['Plug-in Robots 1.6.9, 1.7.0', 'Old robot', 'Robot'],
    ['Solved by Rhino.Compute', 'Script'],
  ])
})

test('[WEB-44, WEB-91] given a cluster with a script and a plug-in, when findings are listed, then the cluster is in both groups, with the way to each', () => {
  const inside = unsolvable.slice(0, 2).map((node) => ({
    ...node,
    nodeInstanceId: id('Fine'),
    cluster: 'Facade',
    inside: [node.nodeInstanceId],
  }))
  const groups = listFindings({ content, solution: undefined, unsolvable: inside })
  assert.deepEqual(brief(groups), [
    ['Scripts are not run', 'C# Script'],
    ['Plug-in Robots 1.6.9', 'Robot System'],
  ])
  assert.deepEqual(groups[0]!.findings[0], {
    nodeId: id('Fine'),
    inside: [id('Script')],
    label: 'C# Script',
    details: ['In the cluster Facade'],
  })
})
