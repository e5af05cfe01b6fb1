import { repairGraph } from '@meadow/document'
import type { DocumentContent } from '../changes/diff-documents.ts'
import { LOOK } from '../changes/diff-node.ts'
import { applyPatch, type Conflict, type Patched } from './apply-patch.ts'
import { createPatch } from './create-patch.ts'

/**
 * Merges two documents that were made of the same one: the changes of `theirs` are applied to `ours`. What both changed
 * in different ways stays as in `ours` and is in `conflicts`; the layout of `ours` wins without one. The result is a valid
 * graph.
 */
export function mergeDocuments<T extends DocumentContent>(
  base: DocumentContent,
  ours: T,
  theirs: DocumentContent,
): Patched<T> {
  const { document, conflicts } = applyPatch(ours, createPatch(base, theirs))
  const { content, repairs } = repairGraph({
    nodes: document.nodes,
    groups: document.groups,
    configuration: document.configuration ?? { inputs: [], outputs: [] },
  })
  const dangling = repairs.map((repair): Conflict => {
    const { kind: what, ...ids } = repair as {
      kind: string
      nodeInstanceId?: string
      portInstanceId?: string
      groupId?: string
    }
    const path =
      ids.nodeInstanceId === undefined ? ['groups', ids.groupId ?? ''] : ['nodes', ids.nodeInstanceId]
    const node = content.nodes[ids.nodeInstanceId ?? '']
    const where = `${node ? node.nickName || node.name : path.join(' · ')}: ${what.replaceAll('_', ' ')}`
    const of = ids.nodeInstanceId === undefined ? {} : { nodeInstanceId: ids.nodeInstanceId }
    return { kind: 'dangling', path, where, ...of }
  })
  const valid = repairs.length === 0 ? {} : { nodes: content.nodes, groups: content.groups }
  const pins = repairs.length > 0 && document.configuration ? { configuration: content.configuration } : {}
  return {
    document: { ...document, ...valid, ...pins },
    conflicts: [...conflicts.filter(({ path }) => !isLayout(path)), ...dangling],
  }
}

/** Whether a path leads to something that is only looks. */
function isLayout(path: readonly string[]): boolean {
  const [owner, member] = [path.at(-2) ?? '', path.at(-1) ?? '']
  if (path.at(-3) === 'nodes' && (member === 'position' || member === 'display')) return true
  if (path.at(-3) === 'groups' && member === 'colour') return true
  return member === 'wireDisplay' || (owner === 'state' && LOOK.has(member))
}
