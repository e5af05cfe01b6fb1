import type { GraphContent } from '@meadow/contract'
import type { CommentAnchor } from '@meadow/contract/web'
import { labelOf } from '../graph/layout/node-box.ts'

/** What a thread is about, in words, and whether that is in the document now. */
export function describeAnchor(
  anchor: CommentAnchor,
  { nodes, groups }: GraphContent,
): { text: string; isGone: boolean } {
  const nameOf = (id: string) => (Object.hasOwn(nodes, id) ? labelOf(nodes[id]!) : undefined)
  switch (anchor.kind) {
    case 'document':
      return { text: 'The document', isGone: false }
    case 'node': {
      const name = nameOf(anchor.node)
      return name === undefined
        ? { text: 'Its node was deleted', isGone: true }
        : { text: `Node ${name}`, isGone: false }
    }
    case 'group': {
      const group = groups.find(({ id }) => id === anchor.group)
      return group
        ? { text: group.label === '' ? 'A group without a name' : `Group ${group.label}`, isGone: false }
        : { text: 'Its group was deleted', isGone: true }
    }
    case 'point': {
      const name = anchor.on && nameOf(anchor.on.node)
      return { text: name ? `A point on ${name}` : 'A point of the model', isGone: false }
    }
  }
}
