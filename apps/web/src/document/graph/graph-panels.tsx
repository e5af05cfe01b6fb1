import type { GraphContent, Node, PortReference } from '@meadow/contract'
import { lazyPart, notLoaded } from '../../shell/lazy-part.tsx'
import type { GraphStore } from '../state/store.ts'
import type { ValueLocation } from '../values/value-table.tsx'
import { portLabel } from './layout/node-box.ts'
import { useGraph } from './nodes/graph-context.ts'
import { ReplaceSearch } from './palette/replace-search.tsx'
import type { Insertion } from './palette/use-insertion.ts'
import { Dialogs } from './panels/dialogs.tsx'
import { NodeCard } from './panels/node-card.tsx'
import { NodeMenu } from './panels/node-menu.tsx'
import { PortCard } from './panels/port-card.tsx'
import type { Hover, HoveredPort } from './panels/use-hover.ts'
import type { ShownNode } from './panels/use-node-card.ts'
import type { Panels, ShowPanels } from './panels/use-panels.ts'

export interface GraphPanelsProps {
  content: GraphContent
  store: GraphStore
  panels: Panels
  show: ShowPanels
  /** Shows the properties of a node. */
  inspect: (nodeId: string) => void
  hover: Hover<HoveredPort>
  /** The node whose card is shown. */
  card: ShownNode | undefined
  insertion: Insertion
  /** Shows geometry in the 3D view; undefined where values have no table. */
  onHighlight: ((values: readonly ValueLocation[]) => void) | undefined
}

/** The menus, cards and dialogs over the canvas. */
export function GraphPanels({ content, store, panels, show, insertion, ...props }: GraphPanelsProps) {
  const { doc } = useGraph()
  const { menu, dialogId } = panels
  const replaced = content.nodes[panels.replacedId ?? '']
  return (
    <>
      {menu && (
        <NodeMenu
          {...menu}
          content={content}
          selectedIds={store.selectedIds}
          close={() => show({ menu: undefined })}
          onInspect={props.inspect}
          onOpenPalette={(at) => show({ paletteAt: at })}
          onReplace={(nodeId) => show({ replacedId: nodeId })}
        />
      )}
      {doc && <Dialogs id={dialogId} content={content} close={() => show({ dialogId: undefined })} />}
      <Cards content={content} hover={props.hover} card={menu ? undefined : props.card} />
      {replaced && (
        <ReplaceSearch
          node={replaced}
          content={content}
          at={{ x: innerWidth / 3, y: innerHeight / 4 }}
          close={() => show({ replacedId: undefined })}
          onChoose={(templateId) => {
            show({ replacedId: undefined })
            insertion.replace(replaced.instanceId, templateId)
          }}
        />
      )}
      <ListedValues content={content} panels={panels} show={show} onHighlight={props.onHighlight} />
    </>
  )
}

/** The card of the port under the pointer, or else that of a node. */
function Cards({ content, hover, card }: Pick<GraphPanelsProps, 'content' | 'hover' | 'card'>) {
  const hovered = hover.shown && content.nodes[hover.shown.port.nodeInstanceId]
  const explained = content.nodes[card?.nodeId ?? '']
  if (hovered && hover.shown)
    return <PortCard node={hovered} {...hover.shown} onEnter={hover.keep} onLeave={hover.hide} />
  return explained && card && <NodeCard key={explained.instanceId} node={explained} {...card} />
}

const LazyValueTable = lazyPart(
  () => import('../values/value-table.tsx'),
  'ValueTable',
  notLoaded('The values'),
)

/** The table with the values of a port. */
function ListedValues({
  content,
  panels: { listed },
  show,
  onHighlight,
}: Pick<GraphPanelsProps, 'content' | 'panels' | 'show' | 'onHighlight'>) {
  const { documentId, solution, preview } = useGraph()
  const node = listed && content.nodes[listed.nodeInstanceId]
  if (!node || !onHighlight) return null
  return (
    <LazyValueTable
      key={`${listed.nodeInstanceId} ${listed.portInstanceId}`}
      title={toTitle(node, listed)}
      port={listed}
      source={{ documentId, solutionId: solution?.id, preview }}
      onHighlight={onHighlight}
      close={() => show({ listed: undefined })}
    />
  )
}

/** Returns the names of a node and its port, or one name for a parameter, which is both. */
const toTitle = (node: Node, { portInstanceId }: PortReference): string =>
  [
    node.nickName || node.name,
    ...(portInstanceId === node.instanceId ? [] : [portLabel(node, portInstanceId)]),
  ].join(': ')
