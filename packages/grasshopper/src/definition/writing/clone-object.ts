import { type Node, sameJson, sameState } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { setItem, setItems } from '../../archive/tree/edit.ts'
import { type DefinitionObject, readObject } from '../model/definition-object.ts'
import type { Target } from './write-context.ts'

/** The object of the original that a new node of its class is copied from: the most similar one with as many ports. */
export function findExemplar(node: Node, { objectsByClass, content }: Target): DefinitionObject | undefined {
  const candidates = (objectsByClass.get(node.templateId) ?? [])
    .map((object) => ({ object, node: content.nodes[object.instanceId] as Node }))
    .filter((candidate) => sameJson(countPorts(candidate.node), countPorts(node)))
    .map((candidate) => ({ ...candidate, likeness: countLikeness(node, candidate.node) }))
  return candidates.reduce<(typeof candidates)[number] | undefined>(
    (best, candidate) => (best && best.likeness >= candidate.likeness ? best : candidate),
    undefined,
  )?.object
}

function countPorts({ inputs, outputs }: Node): [inputs: number, outputs: number] {
  return [Object.keys(inputs).length, Object.keys(outputs).length]
}

function countLikeness(a: Node, b: Node): number {
  const alike = [a.name === b.name, sameState(a.state, b.state), a.nickName === b.nickName]
  return alike.filter(Boolean).length
}

/** A copy of an object under the ids of the node, without wires and index. Everything else is copied. */
export function cloneObject(node: Node, exemplar: DefinitionObject): DefinitionObject {
  const { inputs, outputs } = exemplar.ports
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
  const clone = readObject(chunk)
  for (const port of [...clone.ports.inputs, ...clone.ports.outputs]) {
    setItems(port.chunk, 'guid', 'Source', [])
    setItem(port.chunk, 'int32', 'SourceCount', 0)
  }
  return clone
}

function pair(old: readonly string[], ids: readonly string[]): [string, string][] {
  return old.flatMap((id, i) => (ids[i] === undefined ? [] : [[id, ids[i]] as [string, string]]))
}

/** Replaces ids wherever they occur: clusters repeat the ids of their ports. */
function replaceIds(chunk: Chunk, ids: ReadonlyMap<string, string>): void {
  for (const item of chunk.items) {
    if (item.type === 'guid') item.value = ids.get(item.value) ?? item.value
  }
  for (const child of chunk.chunks) replaceIds(child, ids)
}

/** Items and chunks of objects of any class. */
const COMMON = new Set([
  ...['Name', 'NickName', 'Description', 'InstanceGuid', 'Hidden', 'Locked', 'IconDisplay', 'PrincipalIndex'],
  ...['Optional', 'SourceCount', 'Source', 'Access', 'Mapping', 'SimplifyData', 'ReverseData', 'WireDisplay'],
  ...['Attributes', 'param_input', 'param_output', 'ParameterData', 'PersistentData'],
])

/** Whether an object holds more than the common items, so that a copy may have content that belongs to another node. */
export function hasHiddenContent({ container }: DefinitionObject): boolean {
  return [...container.items, ...container.chunks].some(({ name }) => !COMMON.has(name))
}
