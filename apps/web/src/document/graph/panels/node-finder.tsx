import type { GraphContent } from '@meadow/contract'
import { KindIcon } from '../icons/kind-icon.tsx'
import { findNodes } from '../layout/find-nodes.ts'
import { labelOf } from '../layout/node-box.ts'
import { type NodeMessage, useGraph } from '../nodes/graph-context.ts'
import { SearchList } from './search-list.tsx'

interface NodeFinderProps {
  nodes: GraphContent['nodes']
  close: () => void
  onChoose: (nodeId: string) => void
}

/** The search for a node of the document. */
export function NodeFinder({ nodes, close, onChoose }: NodeFinderProps) {
  const { messages } = useGraph()
  return (
    <SearchList
      at={{ x: innerWidth / 3, y: innerHeight / 5 }}
      label="Go to a node"
      placeholder="Name of a node"
      nothing="No node has that name."
      search={(typed) =>
        findNodes(nodes, typed).map(({ instanceId, templateId, name, nickName }) => ({
          key: instanceId,
          icon: <KindIcon templateId={templateId} />,
          label: labelOf({ name, nickName }),
          note: [worstOf(messages.get(instanceId)), name].filter(Boolean).join(' · '),
          value: instanceId,
        }))
      }
      onChoose={onChoose}
      close={close}
    />
  )
}

const worstOf = (messages: readonly NodeMessage[] | undefined) =>
  (['error', 'warning'] as const).find((level) => messages?.some((message) => message.level === level))
