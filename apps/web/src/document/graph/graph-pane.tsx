import { Button, Notification } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import type { GraphContent, Node, PortReference } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { moveNodes } from '@meadow/document/live'
import { useQuery } from '@tanstack/react-query'
import { ControlButton } from '@xyflow/react'
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Doc } from 'yjs'
import { ApiError } from '../../api/call.ts'
import { paletteQuery } from '../../api/palette-query.ts'
import { IconIcons, IconListTree } from '../../icons.ts'
import { Failure } from '../../shell/failure.tsx'
import type { LiveSession } from '../live/live-session.ts'
import type { Drafts } from '../preview/drafts.ts'
import type { PreviewController } from '../preview/preview-controller.ts'
import type { ValuePlace, ValueTableProps } from '../values/value-table.tsx'
import styles from './canvas/graph-canvas.module.css'
import { type CanvasPoint, GraphCanvas, type ShownGraph } from './canvas/graph-canvas.tsx'
import { OthersLayer } from './canvas/others-layer.tsx'
import { useArrival } from './canvas/use-arrival.ts'
import { useRovingFocus } from './canvas/use-roving-focus.ts'
import { useGraphLead, useReveal } from './canvas/viewport.ts'
import { copyNodes } from './editing/clipboard.ts'
import { deleteSelection, layWire } from './editing/edits.ts'
import { listPinnedIds } from './editing/pins.ts'
import { useGraphKeys } from './editing/use-graph-keys.ts'
import { type Drag, type Positions, positionsOf } from './layout/drag.ts'
import { portLabel } from './layout/node-box.ts'
import { GraphContext, type GraphContextValue, type NodeMessage } from './nodes/graph-context.ts'
import type { ComponentDockProps } from './palette/component-dock.tsx'
import { addChoice, Palette } from './palette/palette-search-box.tsx'
import { ReplaceSearch } from './palette/replace-search.tsx'
import { usePlacing } from './palette/use-placing.ts'
import { Dialogs } from './panels/dialogs.tsx'
import { NodeCard } from './panels/node-card.tsx'
import { NodeFinder } from './panels/node-finder.tsx'
import { NodeMenu } from './panels/node-menu.tsx'
import { PortCard } from './panels/port-card.tsx'
import { useHover } from './panels/use-hover.ts'
import { useNodeCard } from './panels/use-node-card.ts'
import type { ShownPlace } from './place/use-place.ts'
import { NodeProperties } from './properties/node-properties.tsx'

interface GraphPaneProps {
  document: ShownGraph & { id: string }
  /** The id of the team; undefined for readers who are not its members. */
  teamId: string | undefined
  content: GraphContent
  live: LiveSession | undefined
  /** The stored solution, or the preview in its place. */
  solution: EditorSolution | undefined
  drafts: Drafts
  /** The preview, where `solution` is one. */
  preview: PreviewController | undefined
  selectedIds: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** Shows geometry in the 3D view, where there is one; undefined where values have no table. */
  onHighlight?: ((values: readonly ValuePlace[]) => void) | undefined
  /** Which graph it is, and the node to select and show. */
  place: ShownPlace
  /** Further layers of the canvas. */
  children?: ReactNode
}

/** The graph of a document: the canvas with its palette, menus and dialogs. Turns what the canvas reports into edits. */
export function GraphPane(props: GraphPaneProps) {
  const { document, teamId, content, live, solution, drafts, preview, selectedIds, onSelect, onHighlight } =
    props
  const { clusterIds, arrival, go, addressOf } = props.place
  const doc = live?.mayEdit ? live.doc : undefined
  const origin = live?.origin
  const [selectedWires, setSelectedWires] = useState<ReadonlySet<string>>(new Set())
  const [dialogId, setDialogId] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [paletteAt, setPaletteAt] = useState<CanvasPoint>()
  const [menu, setMenu] = useState<{ at: CanvasPoint; nodeId: string | undefined }>()
  const hover = useHover<{ port: PortReference; anchor: DOMRect }>()
  const roving = useRovingFocus(content)
  const { go: focus } = roving
  const reveal = useReveal()
  const [isFinding, setIsFinding] = useState(false)
  const [inspectedId, setInspectedId] = useState<string>()
  const [listed, setListed] = useState<PortReference>()
  const pointer = useRef<CanvasPoint['canvas']>(undefined)
  // The palette is requested before it is needed, so that nodes can be added without a connection.
  useQuery({ ...paletteQuery, enabled: doc !== undefined })
  const isTouch = useMediaQuery('(pointer: coarse)')
  const [labels, setLabels] = useLocalStorage<'names' | 'icons'>({
    key: 'meadow.labels',
    defaultValue: 'names',
    getInitialValueInEffect: false,
  })
  const showsIcons = labels === 'icons'
  const [replacedId, setReplacedId] = useState<string>()
  const card = useNodeCard()

  const edit = useCallback(
    (change: (doc: Doc) => void) => {
      if (!doc) return
      try {
        change(doc)
        setProblem(undefined)
      } catch (error) {
        // The document package throws when an edit is not possible, with a message for users.
        setProblem(error instanceof Error ? error.message : 'That is not possible.')
      }
    },
    [doc],
  )
  const placing = usePlacing({
    documentId: document.id,
    ...{ content, doc, origin, edit, onSelect },
    fail: setProblem,
  })
  const messages = useMemo(() => groupMessages(solution), [solution])
  const pinnedIds = useMemo(() => listPinnedIds(content), [content])
  const { show: showHover, hide: hideHover, close: closePort } = hover
  const context = useMemo<GraphContextValue>(
    () => ({
      documentId: document.id,
      teamId,
      doc,
      origin,
      solution,
      drafts,
      preview,
      messages,
      pinnedIds,
      edit,
      openDialog: setDialogId,
      inspect: setInspectedId,
      openCluster: (nodeId) => go({ clusterIds: [...clusterIds, nodeId] }),
      goTo: (nodeId) => go({ clusterIds, nodeIds: [nodeId] }),
      addressOf: (nodeId) => addressOf({ clusterIds, nodeIds: [nodeId] }),
      isInCluster: clusterIds.length > 0,
      showValues: onHighlight && solution ? setListed : undefined,
      showsIcons,
      showPort: (port, anchor) => (port && anchor ? showHover({ port, anchor }) : hideHover()),
      closePort,
    }),
    [
      document.id,
      teamId,
      doc,
      origin,
      solution,
      drafts,
      preview,
      messages,
      pinnedIds,
      edit,
      showHover,
      hideHover,
      closePort,
      clusterIds,
      go,
      addressOf,
      onHighlight,
      showsIcons,
    ],
  )
  const show = live?.show
  const onDropped = useCallback(
    (drag: Drag, isCopy: boolean) =>
      edit((live) => {
        if (isCopy) onSelect(copyNodes(live, content, drag, origin))
        else moveNodes(live, positionsOf(drag, content), origin)
      }),
    [edit, onSelect, content, origin],
  )
  const onDragged = useCallback((drag: Positions | undefined) => show?.({ drag: drag ?? null }), [show])
  useGraphKeys({
    content,
    selectedIds,
    onSelect,
    edit,
    origin,
    isOff: !doc,
    pointer,
    onOpenPalette: setPaletteAt,
    onFind: () => setIsFinding(true),
    onBrowse: placing.toggleDock,
    onInspect: () => setInspectedId([...selectedIds][0]),
    onLeave: () => {
      if (clusterIds.length > 0) go({ clusterIds: clusterIds.slice(0, -1) })
    },
    onRemove: () =>
      edit((live) => {
        deleteSelection(live, content, { nodeIds: selectedIds, wireIds: selectedWires }, origin)
        setSelectedWires(new Set())
        onSelect(new Set())
      }),
  })

  const arrive = useCallback(
    (nodeIds: readonly string[]) => {
      onSelect(new Set(nodeIds))
      focus(nodeIds[0]!)
    },
    [onSelect, focus],
  )
  useArrival(arrival, content, arrive)
  useGraphLead(clusterIds, props.place.lead)

  const inspected = content.nodes[inspectedId ?? '']
  const listedNode = listed && content.nodes[listed.nodeInstanceId]
  const hovered = hover.shown && content.nodes[hover.shown.port.nodeInstanceId]
  const replaced = content.nodes[replacedId ?? '']
  const explained = content.nodes[card.shown?.nodeId ?? '']
  const controls = (
    <>
      {doc && (
        <ControlButton
          onClick={placing.toggleDock}
          aria-label="Components"
          aria-expanded={placing.isDockOpen}
          data-opens-components
          title="Components"
        >
          <IconListTree aria-hidden />
        </ControlButton>
      )}
      <ControlButton
        onClick={() => setLabels(showsIcons ? 'names' : 'icons')}
        aria-label="Icons in place of names"
        aria-pressed={showsIcons}
        title="Icons in place of names"
      >
        <IconIcons aria-hidden />
      </ControlButton>
    </>
  )
  return (
    <GraphContext value={context}>
      <div className={styles.docked}>
        {placing.isDockOpen && (
          <Suspense fallback={null}>
            <LazyComponentDock
              recent={placing.recent}
              takesFocus={placing.takesFocus}
              teamId={teamId}
              onPlace={placing.place}
              close={placing.toggleDock}
            />
          </Suspense>
        )}
        <div ref={placing.stage} className={styles.stage} {...card.handlers} {...placing.drops}>
          <GraphCanvas
            document={document}
            content={content}
            isReadOnly={!doc}
            selectedIds={selectedIds}
            onSelect={(ids) => {
              onSelect(ids)
              show?.({ selection: [...ids] })
            }}
            onDropped={onDropped}
            onDragged={onDragged}
            roving={roving}
            controls={controls}
            onWire={(wire, mode) => edit((live) => layWire(live, content, wire, mode, origin))}
            selectedWires={selectedWires}
            onSelectWires={(ids) => {
              setSelectedWires(ids)
              hideHover()
            }}
            onOpenPalette={setPaletteAt}
            onMenu={(at, nodeId) => setMenu({ at, nodeId })}
            onOpen={(nodeId) => {
              const { state } = content.nodes[nodeId] ?? {}
              if (state?.kind === 'cluster') context.openCluster(nodeId)
              else if (state?.kind === 'script') setInspectedId(nodeId)
            }}
            onInspect={(nodeId) => {
              if (content.nodes[nodeId]?.state?.kind === 'cluster') context.openCluster(nodeId)
              else setInspectedId(nodeId)
            }}
            onPointer={(position) => {
              pointer.current = position
              show?.({ cursor: position ?? null })
            }}
          >
            {live && <OthersLayer live={live} nodes={content.nodes} />}
            {props.children}
          </GraphCanvas>
          {Object.keys(content.nodes).length === 0 && !paletteAt && (
            <p className={styles.empty}>
              {!doc
                ? 'This document is empty.'
                : isTouch
                  ? 'Double-tap to add a component.'
                  : 'Double-click to add a component, or press /.'}
            </p>
          )}
          {paletteAt && (
            <Palette
              teamId={teamId}
              at={paletteAt}
              close={() => setPaletteAt(undefined)}
              onChoose={(choice) => {
                setPaletteAt(undefined)
                if (choice.kind.item) placing.placeItem(choice.kind.item.fileId, paletteAt.canvas)
                else edit((live) => onSelect(new Set([addChoice(live, choice, paletteAt.canvas, origin)])))
              }}
            />
          )}
          {isFinding && (
            <NodeFinder
              content={content}
              close={() => setIsFinding(false)}
              onChoose={(nodeIds) => {
                setIsFinding(false)
                onSelect(new Set(nodeIds))
                reveal(nodeIds.map((id) => content.nodes[id]!))
                roving.go(nodeIds[0]!)
              }}
            />
          )}
          {menu && (
            <NodeMenu
              {...menu}
              content={content}
              selectedIds={selectedIds}
              close={() => setMenu(undefined)}
              onOpenPalette={setPaletteAt}
              onReplace={setReplacedId}
            />
          )}
          {doc && <Dialogs id={dialogId} content={content} close={() => setDialogId(undefined)} />}
          {hovered && hover.shown && (
            <PortCard node={hovered} {...hover.shown} onEnter={hover.keep} onLeave={hover.hide} />
          )}
          {explained && card.shown && !hovered && !menu && (
            <NodeCard key={explained.instanceId} node={explained} {...card.shown} />
          )}
          {replaced && (
            <ReplaceSearch
              node={replaced}
              content={content}
              at={{ x: innerWidth / 3, y: innerHeight / 4 }}
              close={() => setReplacedId(undefined)}
              onChoose={(templateId) => {
                setReplacedId(undefined)
                placing.replace(replaced.instanceId, templateId)
              }}
            />
          )}
          {inspected && <NodeProperties node={inspected} close={() => setInspectedId(undefined)} />}
          {placing.isPlacing && (
            <Notification loading pos="absolute" bottom={12} left={60} role="status" withCloseButton={false}>
              Placing the library item …
            </Notification>
          )}
          {placing.notice && (
            <Notification
              color="yellow"
              pos="absolute"
              bottom={12}
              left={60}
              role="status"
              onClose={placing.closeNotice}
            >
              {placing.notice}{' '}
              <Button
                size="compact-xs"
                variant="light"
                onClick={() => {
                  live?.undo()
                  placing.closeNotice()
                }}
              >
                Undo
              </Button>
            </Notification>
          )}
          {listed && listedNode && onHighlight && (
            <Suspense fallback={null}>
              <LazyValueTable
                key={`${listed.nodeInstanceId} ${listed.portInstanceId}`}
                title={toTitle(listedNode, listed)}
                port={listed}
                source={{ documentId: document.id, solutionId: solution?.id, preview }}
                onHighlight={onHighlight}
                close={() => setListed(undefined)}
              />
            </Suspense>
          )}
          {problem && (
            <Notification
              color="red"
              pos="absolute"
              bottom={12}
              left={60}
              onClose={() => setProblem(undefined)}
              role="alert"
            >
              {problem}
            </Notification>
          )}
        </div>
      </div>
    </GraphContext>
  )
}

/** Returns the names of a node and its port, or one name for a parameter, which is both. */
const toTitle = (node: Node, { portInstanceId }: PortReference): string =>
  [
    node.nickName || node.name,
    ...(portInstanceId === node.instanceId ? [] : [portLabel(node, portInstanceId)]),
  ].join(': ')

function groupMessages(solution: EditorSolution | undefined): ReadonlyMap<string, NodeMessage[]> {
  return Map.groupBy(solution?.messages ?? [], ({ nodeInstanceId }) => nodeInstanceId)
}

const VALUES_NOT_LOADED = new ApiError(
  0,
  'The values cannot be shown: reload the page once the server answers.',
)

/** The values of a port, in a chunk of its own. */
const LazyValueTable = lazy(
  async (): Promise<{ default: ComponentType<ValueTableProps> }> =>
    import('../values/value-table.tsx').then(
      ({ ValueTable }) => ({ default: ValueTable }),
      () => ({ default: () => <Failure error={VALUES_NOT_LOADED} /> }),
    ),
)

const NOT_LOADED = new ApiError(0, 'The components cannot be shown: reload the page once the server answers.')

/** The list of components, in a chunk of its own. */
const LazyComponentDock = lazy(
  async (): Promise<{ default: ComponentType<ComponentDockProps> }> =>
    import('./palette/component-dock.tsx').then(
      ({ ComponentDock }) => ({ default: ComponentDock }),
      () => ({ default: () => <Failure error={NOT_LOADED} /> }),
    ),
)
