import { Button, Notification, Text } from '@mantine/core'
import type { GraphContent, Node, PortReference } from '@meadow/contract'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Dialog } from '../../shell/dialog.tsx'
import { useMedia } from '../../shell/first-render.ts'
import { lazyPart, notLoaded } from '../../shell/lazy-part.tsx'
import type { GraphStore } from '../state/store.ts'
import type { Dock } from '../state/use-dock.ts'
import type { ValueLocation } from '../values/value-table.tsx'
import styles from './canvas/graph-canvas.module.css'
import { useReveal } from './canvas/viewport.ts'
import { KindIcon } from './icons/kind-icon.tsx'
import { portLabel } from './layout/node-box.ts'
import { type NodeMessage, useGraph } from './nodes/graph-context.ts'
import { addChoice, Palette } from './palette/palette-search-box.tsx'
import { ReplaceSearch } from './palette/replace-search.tsx'
import type { Insertion } from './palette/use-insertion.ts'
import { Dialogs } from './panels/dialogs.tsx'
import { NodeCard } from './panels/node-card.tsx'
import { NodeMenu } from './panels/node-menu.tsx'
import { PortCard } from './panels/port-card.tsx'
import { searchGraph } from './panels/search-graph.ts'
import { SearchList } from './panels/search-list.tsx'
import type { Hover, HoveredPort } from './panels/use-hover.ts'
import type { ShownNode } from './panels/use-node-card.ts'
import type { Panels, ShowPanels } from './panels/use-panels.ts'
import { NodeProperties } from './properties/node-properties.tsx'

interface GraphPanelsProps {
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
  /** Moves the focus of the keyboard to a node. */
  focus: (nodeId: string) => void
  /** Shows geometry in the 3D view; undefined where values have no table. */
  onHighlight: ((values: readonly ValueLocation[]) => void) | undefined
}

/** The menus, searches, cards and dialogs over the canvas. */
export function GraphPanels({ content, store, panels, show, insertion, focus, ...props }: GraphPanelsProps) {
  const { doc, origin, edit } = useGraph()
  const reveal = useReveal()
  const { paletteAt, menu, dialogId, isFinding } = panels
  const replaced = content.nodes[panels.replacedId ?? '']
  return (
    <>
      {paletteAt && (
        <Palette
          at={paletteAt}
          close={() => show({ paletteAt: undefined })}
          onChoose={(choice) => {
            show({ paletteAt: undefined })
            if (choice.kind.item) insertion.insertItem(choice.kind.item.fileId, paletteAt.canvas)
            else edit((live) => store.select(new Set([addChoice(live, choice, paletteAt.canvas, origin)])))
          }}
        />
      )}
      {isFinding && (
        <NodeFinder
          content={content}
          close={() => show({ isFinding: false })}
          onChoose={(nodeIds) => {
            show({ isFinding: false })
            store.select(new Set(nodeIds))
            reveal(nodeIds.map((id) => content.nodes[id]!))
            focus(nodeIds[0]!)
          }}
        />
      )}
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

/** The properties of the node that is selected, in the dock. Where there is none, a dialog shows those of one node. */
export function Properties({
  content,
  store: { selectedIds },
  dock,
  panels,
  show,
}: Pick<GraphPanelsProps, 'content' | 'store' | 'panels' | 'show'> & { dock: Dock | undefined }) {
  const [selectedId] = selectedIds.size === 1 ? selectedIds : []
  const node = content.nodes[(dock ? selectedId : panels.inspectedId) ?? '']
  const close = () => show({ inspectedId: undefined })
  const properties = node && <NodeProperties key={node.instanceId} node={node} close={close} />
  const hint = (
    <Text size="sm" px={14}>
      Select a node to see its properties.
    </Text>
  )
  if (dock) return dock.place && createPortal(properties ?? hint, dock.place)
  return (
    properties && (
      <Dialog opened onClose={close} title="Properties" size="lg">
        {properties}
      </Dialog>
    )
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

interface GraphNoticesProps {
  insertion: Insertion
  /** Takes back the last edit. */
  undo: (() => void) | undefined
  /** Why the last edit was not possible. */
  problem: string | undefined
  closeProblem: () => void
}

/** What the reader learns about their last edits. */
export function GraphNotices({ insertion, undo, problem, closeProblem }: GraphNoticesProps) {
  return (
    <>
      {insertion.isInserting && (
        <Notice role="status" loading withCloseButton={false}>
          Placing the library item …
        </Notice>
      )}
      {insertion.notice && (
        <Notice role="status" color="yellow" onClose={insertion.closeNotice}>
          {insertion.notice}{' '}
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => {
              undo?.()
              insertion.closeNotice()
            }}
          >
            Undo
          </Button>
        </Notice>
      )}
      {problem && (
        <Notice role="alert" color="red" onClose={closeProblem}>
          {problem}
        </Notice>
      )}
    </>
  )
}

interface NoticeProps {
  role: 'status' | 'alert'
  color?: string
  loading?: boolean
  withCloseButton?: boolean
  onClose?: () => void
  children: ReactNode
}

const Notice = (props: NoticeProps) => <Notification {...props} pos="absolute" bottom={12} left={60} />

interface NodeFinderProps {
  content: GraphContent
  close: () => void
  onChoose: (nodeIds: readonly string[]) => void
}

/** The search for nodes of the document, by name, component, text and value, and for groups. */
function NodeFinder({ content, close, onChoose }: NodeFinderProps) {
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

/** Says how a document without nodes is begun. */
export function EmptyNote({ mayEdit }: { mayEdit: boolean }) {
  const isTouch = useMedia('(pointer: coarse)')
  return (
    <p className={styles.empty}>
      {!mayEdit
        ? 'This document is empty.'
        : isTouch
          ? 'Double-tap to add a component.'
          : 'Double-click to add a component, or press /.'}
    </p>
  )
}
