import type { DataTree, GraphContent, Node, PortReference } from '@meadow/contract'
import { createRecord } from '../../graph/record.ts'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'

export const integer = (value: number): DataTree => ({
  branches: [{ path: '{0}', values: [{ type: 'integer', value }] }],
})

export const out = (id: string): PortReference => ({ nodeInstanceId: id, portInstanceId: `${id}.out` })
export const into = (id: string, input: 'a' | 'b' = 'a'): PortReference => ({
  nodeInstanceId: id,
  portInstanceId: `${id}.${input}`,
})
export const own = (id: string): PortReference => ({ nodeInstanceId: id, portInstanceId: id })

/** An addition with the inputs `<id>.a` and `<id>.b` and the output `<id>.out`. */
export function createAddition(id: string, sources: Record<string, PortReference[]> = {}): Node {
  const port = (name: string) => ({
    name,
    nickName: name,
    typeName: 'Number',
    access: 'item' as const,
    flags: [],
  })
  return {
    instanceId: id,
    templateId: ADDITION,
    name: 'Addition',
    nickName: id,
    position: { x: 0, y: 0 },
    status: { isEnabled: true, isPreviewed: true },
    inputs: createRecord([
      [`${id}.a`, 0],
      [`${id}.b`, 1],
    ]),
    outputs: createRecord([[`${id}.out`, 0]]),
    sources: createRecord(Object.entries(sources)),
    values: createRecord([[`${id}.b`, integer(1)]]),
    ports: createRecord([
      [`${id}.a`, port('A')],
      [`${id}.b`, port('B')],
      [`${id}.out`, port('Result')],
    ]),
  }
}

/** A slider of integers from 0 to 100. */
export function createSlider(id: string, value = 1): Node {
  const state = { kind: 'slider', minimum: 0, maximum: 100, decimals: 0, interval: 'integer' }
  return createOwnPort(id, SLIDER, 'Number Slider', 'Number', state, integer(value))
}

export function createPanel(id: string, text = ''): Node {
  const state = {
    kind: 'panel',
    text,
    isMultiline: false,
    colour: '#fffa5aff',
    alignment: 'left',
    wraps: true,
    drawsIndices: false,
    drawsPaths: false,
  }
  return createOwnPort(id, PANEL, 'Panel', 'Text', state)
}

function createOwnPort(
  id: string,
  templateId: string,
  name: string,
  typeName: string,
  state: Record<string, unknown>,
  tree?: DataTree,
): Node {
  return {
    instanceId: id,
    templateId,
    name,
    nickName: id,
    position: { x: 0, y: 0 },
    status: { isEnabled: true, isPreviewed: true },
    inputs: createRecord(name === 'Panel' ? [[id, 0]] : []),
    outputs: createRecord([[id, 0]]),
    sources: createRecord(),
    values: createRecord(tree ? [[id, tree]] : []),
    ports: createRecord([[id, { name, nickName: '', typeName, access: 'item', flags: [] }]]),
    state,
  }
}

export function createContent(nodes: readonly Node[], more: Partial<GraphContent> = {}): GraphContent {
  return {
    nodes: createRecord(nodes.map((node) => [node.instanceId, node])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
    ...more,
  }
}

/** Two sliders into two additions into a panel, in two groups, with pins. */
export function createTestContent(): GraphContent {
  return createContent(
    [
      createSlider('s1', 3),
      createSlider('s2', 4),
      createAddition('n1', { 'n1.a': [own('s1'), own('s2')], 'n1.b': [own('s1')] }),
      createAddition('n2', { 'n2.a': [out('n1'), own('s1')] }),
      { ...createPanel('p1', 'one\ntwo'), sources: createRecord([['p1', [out('n2')]]]) },
    ],
    {
      groups: [
        { id: 'g1', label: 'In', colour: '#aa87ff96', nodeInstanceIds: ['s2', 's1'], groupIds: [] },
        { id: 'g2', label: '', colour: '#00ff0096', nodeInstanceIds: ['n1'], groupIds: ['g1'] },
      ],
      configuration: { inputs: [own('s2'), own('s1')], outputs: [out('n2')] },
    },
  )
}
