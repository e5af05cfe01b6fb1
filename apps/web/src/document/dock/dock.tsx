import { CloseButton } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { useFocusReturn, useKeptFocus } from '../../shell/dialog.tsx'
import { useRemembered } from '../../shell/first-render.ts'
import { useEditor } from '../state/store.ts'
import type { Dock } from '../state/use-dock.ts'
import styles from './dock.module.css'
import { Rail } from './rail.tsx'
import { TABS } from './tabs.ts'

/** What a document page shows, with the dock and its buttons at the right of it; on a phone they are below it. */
export function Docked({ children }: { children: ReactNode }) {
  const { dock } = useEditor()
  const panel = useRef<HTMLElement>(null)
  if (!dock) return children
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // Dialogs and menus that a panel opened are elsewhere on the page, and the graph renders properties into the dock.
    if (!(event.target instanceof Node && panel.current?.contains(event.target))) return
    // The graph acts on the same key.
    event.stopPropagation()
    dock.close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key acts in the panel.
    <div className={styles.docked} onKeyDown={onKeyDown}>
      <div className={styles.shown}>{children}</div>
      {dock.tab && <OpenPanel key={dock.tab} dock={dock} tab={dock.tab} ref={panel} />}
      <Rail dock={dock} />
    </div>
  )
}

/** The widths of the dock, in pixels. */
const WIDTHS = { least: 280, usual: 344, most: 760 }

interface OpenPanelProps {
  dock: Dock
  tab: NonNullable<Dock['tab']>
  ref: RefObject<HTMLElement | null>
}

/** A panel, which has the focus when it is opened, and when what had it there is removed. Its width is remembered. */
function OpenPanel({ dock, tab, ref }: OpenPanelProps) {
  const { label, what, Panel } = TABS[tab]
  const [width, setWidth] = useRemembered('meadow.dock', WIDTHS.usual)
  const { comments, isNarrow } = useEditor()
  useFocusReturn(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and before the content takes the focus.
  useLayoutEffect(() => {
    // What a comment is about is chosen in the graph or in the geometry.
    if (!comments?.isAnchoring) ref.current?.focus({ preventScroll: true })
  }, [])
  const kept = useKeptFocus(ref)
  return (
    <aside
      ref={ref}
      {...kept}
      className={styles.dock}
      style={isNarrow ? {} : { width }}
      aria-label={label}
      tabIndex={-1}
      data-panel
      data-keys="page"
    >
      {!isNarrow && <WidthHandle width={width} setWidth={setWidth} />}
      <div className={styles.head}>
        <h2 className={styles.heading}>{label}</h2>
        <CloseButton aria-label={`Close ${what}`} onClick={dock.close} />
      </div>
      <div className={styles.body} ref={Panel ? null : dock.setPlace}>
        {Panel && <Panel />}
      </div>
    </aside>
  )
}

interface WidthHandleProps {
  width: number
  setWidth: (width: number) => void
}

/** How far an arrow key moves the edge of the dock, in pixels. */
const STEP = 24

/** The left edge of the dock, which is dragged, or moved with the arrow keys. */
function WidthHandle({ width, setWidth }: WidthHandleProps) {
  const set = (next: number) => setWidth(Math.round(Math.min(Math.max(next, WIDTHS.least), WIDTHS.most)))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be moved.
    <div
      role="separator"
      className={styles.handle}
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuemin={WIDTHS.least}
      aria-valuemax={WIDTHS.most}
      aria-valuenow={width}
      tabIndex={0}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') set(width + STEP)
        if (key === 'ArrowRight') set(width - STEP)
      }}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (currentTarget.hasPointerCapture(pointerId))
          set(currentTarget.parentElement!.getBoundingClientRect().right - clientX)
      }}
    />
  )
}
