import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataTree, DataValue, GraphContent, Node, PortReference } from '@meadow/contract'
import fc from 'fast-check'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { readPlayerValues } from './player-values.ts'
import { indexPorts, readPage, toPortKey } from './port-pages.ts'

const KINDS = ['slider', 'valueList', 'panel', 'button', 'script', 'typed', 'wired'] as const

/** A node whose every word, number and id occurs nowhere else: all of them have its index. */
function makeNode(kind: (typeof KINDS)[number], index: number): Node {
  const word = (name: string) => `${name}~${index}~`
  const id = word('id')
  const value: DataValue = { type: 'string', value: word('typed') }
  const state = {
    slider: { kind: 'slider', minimum: 0, maximum: 9, decimals: 1, interval: 'real', snaps: [word('snap')] },
    valueList: {
      kind: 'valueList',
      mode: 'dropDown',
      items: [{ name: word('item'), expression: word('expression'), isSelected: true }],
    },
    panel: { kind: 'panel', text: word('text'), isMultiline: true },
    button: { kind: 'button', normal: word('normal'), pressed: word('pressed') },
    script: { kind: 'script', language: 'csharp', source: word('source') },
  } as Record<string, Node['state']>
  return {
    instanceId: id,
    templateId: word('template'),
    name: word('name'),
    nickName: word('nick'),
    position: { x: 0, y: 0 },
    status: { isEnabled: true, isPreviewed: index % 2 === 0 },
    inputs: { [word('in')]: 0 },
    outputs: { [id]: 0 },
    sources:
      kind === 'wired'
        ? { [id]: [{ nodeInstanceId: word('source node'), portInstanceId: word('source port') }] }
        : {},
    values: { [id]: { branches: [{ path: '{0}', values: kind === 'slider' ? [] : [value] }] } },
    ports: {
      [id]: { name: word('port'), nickName: word('port nick'), typeName: 'Text', access: 'item', flags: [] },
      [word('in')]: {
        name: word('in name'),
        nickName: word('in'),
        typeName: word('type'),
        access: 'item',
        flags: [],
      },
    },
    ...(state[kind] && { state: state[kind] }),
  }
}

/** What the label, the field and the value of a pinned node may have of its words. */
const SHOWN = ['nick', 'item', 'text', 'typed']

test('[APP-15] given any document, when what its player shows is read, then it has the names, choices and values of pinned ports, and no other word or id of the document', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          kind: fc.constantFrom(...KINDS),
          pin: fc.constantFrom('inputs', 'outputs', 'none', 'none'),
        }),
        { maxLength: 12 },
      ),
      async (drawn) => {
        const nodes = drawn.map(({ kind }, index) => makeNode(kind, index))
        const pinned = (side: string): PortReference[] =>
          nodes.flatMap(({ instanceId }, index) =>
            drawn[index]!.pin === side ? [{ nodeInstanceId: instanceId, portInstanceId: instanceId }] : [],
          )
        const graph: GraphContent = {
          nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
          groups: [{ id: 'group~', label: 'label~', colour: '#00000000', nodeInstanceIds: [], groupIds: [] }],
          configuration: { inputs: pinned('inputs'), outputs: pinned('outputs') },
        }
        const solved = Object.fromEntries(
          nodes.map(({ instanceId }, index) => [instanceId, { [instanceId]: makeTree(index) }]),
        )
        const shown = await readShown(graph, solved)
        const [inputs, results] = [pinned('inputs').length, pinned('outputs').length]
        assert.deepEqual([shown.inputs.length, shown.results.length], [inputs, results])
        for (const [, name, index] of JSON.stringify(shown).matchAll(/([a-z ]+)~(\d*)~?/g)) {
          const { pin } = drawn[Number(index)]!
          assert.ok(pin === 'inputs' ? SHOWN.includes(name!) : pin === 'outputs', `${name} of ${index}`)
          if (pin === 'outputs')
            assert.ok(['nick', 'result', 'described'].includes(name!), `${name} of ${index}`)
        }
      },
    ),
  ))

test('[WEB-160] given a component without outputs whose input is pinned, when its player is read, then the result has what its only wire brings, unless the input changes it', async () => {
  const [given, print] = [makeNode('typed', 0), makeNode('script', 1)]
  const [pin, source] = [
    Object.keys(print.inputs)[0]!,
    { nodeInstanceId: given.instanceId, portInstanceId: given.instanceId },
  ]
  const resultsWith = async (changes: Partial<Node>, flags: Node['ports'][string]['flags'] = []) => {
    const ports = { [pin]: { ...print.ports[pin]!, flags } }
    const node = { ...print, outputs: {}, sources: { [pin]: [source] }, ports, ...changes }
    const graph: GraphContent = {
      nodes: { [given.instanceId]: given, [node.instanceId]: node },
      groups: [],
      configuration: { inputs: [], outputs: [{ nodeInstanceId: node.instanceId, portInstanceId: pin }] },
    }
    const { results } = await readShown(graph, { [given.instanceId]: { [given.instanceId]: makeTree(0) } })
    return results.map(({ label, values }) => [label, values?.count ?? null])
  }
  assert.deepEqual(await resultsWith({}), [['nick~1~', 3]])
  assert.deepEqual(await resultsWith({ sources: { [pin]: [source, source] } }), [['nick~1~', null]])
  assert.deepEqual(await resultsWith({ sources: {} }), [['nick~1~', null]])
  assert.deepEqual(await resultsWith({ status: { isEnabled: false, isPreviewed: true } }), [
    ['nick~1~', null],
  ])
  assert.deepEqual(await resultsWith({}, ['graft']), [['nick~1~', null]])
})

/** What the player of a document shows whose solution has these trees, by node and port. */
function readShown(graph: GraphContent, solved: Record<string, Record<string, DataTree>>) {
  const body = Buffer.from(JSON.stringify({ data: { solutionId: 'sol_1', ...solved }, messages: [] }))
  const ports = indexPorts(body)
  return readPlayerValues(
    {} as BlobStore,
    async (_, { nodeInstanceId, portInstanceId }, page) => {
      const port = ports.get(toPortKey(nodeInstanceId, portInstanceId))
      return port === undefined ? undefined : readPage(body, port, page)
    },
    {
      kind: 'player',
      content: { bytes: Buffer.from(JSON.stringify(graph)) },
      values: { gzip: '', zstd: '', bytes: 0 },
      fingerprint: undefined,
    },
  )
}

/** Values of a result: a text, an object of a model, and a thing of a plug-in that has a source. */
function makeTree(index: number) {
  const values: DataValue[] = [
    { type: 'string', value: `result~${index}~` },
    {
      type: 'curve',
      value: { description: `described~${index}~`, boundingBox: null },
      referenceId: `reference~${index}~`,
      referencePart: { type: `part~${index}~` },
    },
    {
      type: 'unknown',
      value: { description: `described~${index}~`, kind: 'script', properties: { source: `code~${index}~` } },
    },
  ]
  return { branches: [{ path: '{0}', values }] }
}
