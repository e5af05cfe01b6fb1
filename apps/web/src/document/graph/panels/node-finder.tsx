import type { GraphContent } from '@meadow/contract'
import { KindIcon } from '../icons/kind-icon.tsx'
import { type NodeMessage, useGraph } from '../nodes/graph-context.ts'
import { searchGraph } from './search-graph.ts'
import { SearchList } from './search-list.tsx'

interface NodeFinderProps {
  content: GraphContent
  close: () => void
  onChoose: (nodeIds: readonly string[]) => void
}

/** The search for nodes of the document, by name, component, text and value, and for groups. */
export function NodeFinder({ content, close, onChoose }: NodeFinderProps) {
  const { messages } = useGraph()
  return (
    <SearchList
      at={{ x: innerWidth / 3, y: innerHeight / 5 }}
      label="Search in the graph"
      placeholder="Name, component, text or value"
      nothing="Nothing in this graph has that name, text or value."
      search={(typed) =>
        searchGraph(content, typed).map(({ nodeIds, label, match }) => ({
          key: `${match} ${nodeIds.join()}`,
          icon: <KindIcon templateId={content.nodes[nodeIds[0]]!.templateId} />,
          label,
          note: [worstOf(messages.get(nodeIds[0])), match || content.nodes[nodeIds[0]]?.name]
            .filter(Boolean)
            .join(' · '),
          value: nodeIds,
        }))
      }
      onChoose={onChoose}
      close={close}
    />
  )
}

const worstOf = (messages: readonly NodeMessage[] | undefined) =>
  (['error', 'warning'] as const).find((level) => messages?.some((message) => message.level === level))
