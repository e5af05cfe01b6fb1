import { Splitter } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useMedia, useRemembered } from '../../shell/first-render.ts'
import { useEditor } from '../state/store.ts'
import styles from './panes.module.css'

interface ArrangedPanesProps {
  graph: ReactNode
  model: ReactNode
  /** Whether graph and geometry stand one above the other when both are shown; by default on a phone. */
  isStacked?: boolean | undefined
}

/** Graph and geometry as the reader chose. */
export function ArrangedPanes({ graph, model, isStacked }: ArrangedPanesProps) {
  const { panes, isNarrow } = useEditor()
  return panes === 'both' ? (
    <BothPanes graph={graph} model={model} isStacked={isStacked ?? isNarrow} />
  ) : (
    <OnePane graph={graph} model={model} shown={panes} />
  )
}

/** The sizes of graph and geometry, in percent. */
const DEFAULT_SIZES = [60, 40]
const MIN_SIZE = 15

/** Two panes with a splitter that can be dragged, or moved with the arrow keys. Its position is remembered. */
function BothPanes({ graph, model, isStacked }: ArrangedPanesProps) {
  const [sizes, setSizes] = useRemembered('meadow.panes', DEFAULT_SIZES)
  const isCoarse = useMedia('(pointer: coarse)')
  return (
    <Splitter
      className={styles.splitter}
      orientation={isStacked ? 'vertical' : 'horizontal'}
      sizes={sizes}
      onSizeChange={(next) => setSizes(next.map(Number))}
      lineSize={isCoarse ? 16 : 1}
      withHandle={isCoarse}
    >
      <Splitter.Pane defaultSize={DEFAULT_SIZES[0]!} min={MIN_SIZE} className={styles.pane}>
        {graph}
      </Splitter.Pane>
      <Splitter.Pane defaultSize={DEFAULT_SIZES[1]!} min={MIN_SIZE} className={styles.pane}>
        {model}
      </Splitter.Pane>
    </Splitter>
  )
}

interface OnePaneProps extends ArrangedPanesProps {
  shown: 'graph' | 'model'
}

/** One pane over the other, which keeps its size and view while it is hidden. */
function OnePane({ graph, model, shown }: OnePaneProps) {
  // The geometry is not loaded before it is shown.
  const [hasModel, setHasModel] = useState(shown === 'model')
  if (shown === 'model' && !hasModel) setHasModel(true)
  return (
    <>
      <div className={styles.layer} data-hidden={shown === 'model' || undefined}>
        {graph}
      </div>
      {hasModel && (
        <div className={styles.layer} data-hidden={shown === 'graph' || undefined}>
          {model}
        </div>
      )}
    </>
  )
}
