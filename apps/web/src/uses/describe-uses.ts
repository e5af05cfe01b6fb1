import type { IndexState } from '@meadow/contract'
import {
  formatUseReference,
  readUseReference,
  type UseKind,
  type UseReference,
  type UsingNode,
} from '@meadow/contract/web'
import { count } from '../shell/count.ts'

/** The kinds in the words of the page. */
export const KIND_NAMES: Record<UseKind, string> = {
  component: 'Component',
  plugin: 'Plug-in',
  cluster: 'Cluster',
  script: 'Text in scripts',
  language: 'Script language',
  library: 'Library in scripts',
  revit: 'Revit element',
  object: 'Object of a Rhino model',
  model: 'Model',
  item: 'User object or cluster file',
}

/** The page of a team that lists the documents that use something. */
export const usesPath = (teamId: string, reference: UseReference): string =>
  `/teams/${teamId}/uses?use=${encodeURIComponent(formatUseReference(reference))}`

const FRAGMENT = '#uses='

/** The page of a document with the nodes that use something selected and in view. */
export const usingNodesPath = (documentId: string, reference: UseReference): string =>
  `/documents/${documentId}${FRAGMENT}${encodeURIComponent(formatUseReference(reference))}`

/** What the fragment of such an address names. */
export function readUsesFragment(hash: string): UseReference | undefined {
  if (!hash.startsWith(FRAGMENT)) return undefined
  try {
    return readUseReference(decodeURIComponent(hash.slice(FRAGMENT.length)))
  } catch {
    return undefined
  }
}

/** Returns a text such as `3 nodes`, `2 nodes in clusters` or `3 nodes and 2 in clusters`. */
export function describeNodes(nodes: number, nested: number): string {
  if (nested === 0) return count(nodes, 'node')
  return nodes === 0
    ? `${count(nested, 'node')} in clusters`
    : `${count(nodes, 'node')} and ${nested.toLocaleString('en')} in clusters`
}

/** Says in sentences why the answer may lack documents. The first sentence is about those that are still to come. */
export function describeGaps({ pending, unread, partial }: IndexState): {
  pending?: string
  others?: string
} {
  const others = [
    unread > 0 && `${count(unread, 'document')} could not be read`,
    partial > 0 &&
      `${count(partial, 'document')} could be read only in part, for example because of a password`,
  ].filter((part) => part !== false)
  return {
    ...(pending > 0 && {
      pending: `${count(pending, 'document')} ${pending === 1 ? 'has' : 'have'} changed and ${pending === 1 ? 'is' : 'are'} not searched yet. This page updates itself.`,
    }),
    ...(others.length > 0 && { others: `${others.join('; ')}.` }),
  }
}

/** What a document says about the nodes that use something. */
export function describeFound(nodes: readonly UsingNode[] | null): string {
  if (nodes === null) return 'This document is too large to find the nodes in it.'
  if (nodes.length === 0) return 'No node of this document uses that any more.'
  const nested = nodes.filter(({ clusters }) => clusters.length > 0).length
  const shown = describeNodes(nodes.length - nested, nested)
  return `${shown} ${nodes.length === 1 ? 'uses' : 'use'} what you searched for.`
}

/** The folders of a team with their paths, as a list to choose from; without the root, which has everything. */
export function listFolderChoices(
  folders: readonly { id: string; name: string; parentId: string | null }[],
): { value: string; label: string }[] {
  const paths = new Map<string, string>()
  const choices: { value: string; label: string }[] = []
  // Each folder comes after its parent.
  for (const { id, name, parentId } of folders) {
    if (parentId === null) continue
    const above = paths.get(parentId)
    const label = above === undefined ? name : `${above} / ${name}`
    paths.set(id, label)
    choices.push({ value: id, label })
  }
  return choices
}
