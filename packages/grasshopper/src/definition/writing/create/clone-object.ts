import type { Node } from '@meadow/document'
import type { Chunk } from '../../../archive/archive.ts'
import { setItem, setItems } from '../../../archive/edit.ts'
import { sameJson } from '../../compare/same-json.ts'
import { sameState } from '../../compare/same-state.ts'
import type { DefinitionObject } from '../../objects/definition-object.ts'
import { readObject } from '../../objects/list-objects.ts'
import { listPorts } from '../../ports/list-ports.ts'
import type { Base } from '../base.ts'

/** An object of the original that a new node of its class can be a copy of: the one that is most like it. */
export function findExemplar(node: Node, { exemplars, content }: Base): DefinitionObject | undefined {
  const counts = [node.inputs, node.outputs].map((side) => Object.keys(side).length)
  const candidates = (exemplars.get(node.templateId) ?? [])
    .filter(({ portCounts }) => sameJson(portCounts, counts))
    .map(({ object }) => ({ object, likeness: countLikeness(node, content.nodes[object.instanceId]) }))
  return candidates.reduce<(typeof candidates)[number] | undefined>(
    (best, candidate) => (best && best.likeness >= candidate.likeness ? best : candidate),
    undefined,
  )?.object
}

function countLikeness(a: Node, b: Node | undefined): number {
  if (!b) return 0
  const alike = [a.name === b.name, sameState(a.state, b.state), a.nickName === b.nickName]
  return alike.filter(Boolean).length
}

/** A copy of an object under the ids of the node, without wires and without index. What else it keeps comes along. */
export function cloneObject(node: Node, exemplar: DefinitionObject): Chunk {
  const { inputs, outputs } = listPorts(exemplar)
  const ids = new Map([
    ...pair(
      inputs.map(({ id }) => id),
      Object.keys(node.inputs),
    ),
    ...pair(
      outputs.map(({ id }) => id),
      Object.keys(node.outputs),
    ),
    [exemplar.instanceId, node.instanceId],
  ])
  const chunk = structuredClone(exemplar.chunk)
  replaceIds(chunk, ids)
  const ports = listPorts(readObject(chunk))
  for (const port of [...ports.inputs, ...ports.outputs]) {
    setItems(port.chunk, 'guid', 'Source', [])
    setItem(port.chunk, 'int32', 'SourceCount', 0)
  }
  return chunk
}

function pair(old: readonly string[], ids: readonly string[]): [string, string][] {
  return old.flatMap((id, i) => (ids[i] === undefined ? [] : [[id, ids[i]] as [string, string]]))
}

/** Clusters tell their ports' ids in more than one place. */
function replaceIds(chunk: Chunk, ids: ReadonlyMap<string, string>): void {
  for (const item of chunk.items) {
    if (item.type === 'guid') item.value = ids.get(item.value) ?? item.value
  }
  for (const child of chunk.chunks) replaceIds(child, ids)
}

/** What objects of any class keep. */
const COMMON = new Set([
  ...['Name', 'NickName', 'Description', 'InstanceGuid', 'Hidden', 'Locked', 'IconDisplay', 'PrincipalIndex'],
  ...['Optional', 'SourceCount', 'Source', 'Access', 'Mapping', 'SimplifyData', 'ReverseData', 'WireDisplay'],
  ...['Attributes', 'param_input', 'param_output', 'ParameterData', 'PersistentData'],
])

/** Whether an object keeps anything beside what all do, of which a copy may be another's. */
export function keepsMore({ container }: DefinitionObject): boolean {
  return [...container.items, ...container.chunks].some(({ name }) => !COMMON.has(name))
}
