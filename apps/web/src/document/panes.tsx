import { Splitter } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import styles from './editor.module.css'

/** In percent: of the graph and of the geometry. */
const USUAL = [60, 40]
const SMALLEST = 15

/** Known when it is first drawn: it would jump otherwise. */
const AT_ONCE = { getInitialValueInEffect: false }

/** Two panes with a bar between them that can be dragged, or moved with the arrow keys. Where it is, is remembered. */
export function Panes({ graph, model }: { graph: ReactNode; model: ReactNode }) {
  const [sizes, setSizes] = useLocalStorage({ key: 'meadow.panes', defaultValue: USUAL, ...AT_ONCE })
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, AT_ONCE)
  return (
    <Splitter
      className={styles.splitter}
      orientation={isNarrow ? 'vertical' : 'horizontal'}
      sizes={sizes}
      onSizeChange={(next) => setSizes(next.map(Number))}
      lineSize={1}
      withHandle={false}
    >
      <Splitter.Pane defaultSize={USUAL[0]!} min={SMALLEST} className={styles.pane}>
        {graph}
      </Splitter.Pane>
      <Splitter.Pane defaultSize={USUAL[1]!} min={SMALLEST} className={styles.pane}>
        {model}
      </Splitter.Pane>
    </Splitter>
  )
}
