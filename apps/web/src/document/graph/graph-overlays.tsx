import { Button, Notification } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import type { ReactNode } from 'react'
import { useMedia } from '../../shell/first-render.ts'
import styles from './canvas/graph-canvas.module.css'
import { useReveal } from './canvas/viewport.ts'
import type { GraphPanelsProps } from './graph-panels.tsx'
import { KindIcon } from './icons/kind-icon.tsx'
import { type NodeMessage, useGraph } from './nodes/graph-context.ts'
import { addChoice, Palette } from './palette/palette-search-box.tsx'
import type { Insertion } from './palette/use-insertion.ts'
import { searchGraph } from './panels/search-graph.ts'
import { SearchList } from './panels/search-list.tsx'

type GraphSearchesProps = Pick<GraphPanelsProps, 'content' | 'store' | 'panels' | 'show' | 'insertion'> & {
  /** Moves the focus of the keyboard to a node. */
  focus: (nodeId: string) => void
}

/** The searches over the canvas. They are there before they are used, since they take the keys that follow at once. */
export function GraphSearches({ content, store, panels, show, insertion, focus }: GraphSearchesProps) {
  const { origin, edit } = useGraph()
  const reveal = useReveal()
  const { paletteAt, isFinding } = panels
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
    </>
  )
}

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
