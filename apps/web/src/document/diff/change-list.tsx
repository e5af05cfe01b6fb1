import { Button, Text } from '@mantine/core'
import type { Change } from '@meadow/diff'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import sideList from '../../shell/side-list.module.css'
import { labelOf } from '../graph/layout/node-box.ts'
import styles from './diff-view.module.css'
import { CATEGORIES, type Category, type ListedChange } from './list-changes.ts'
import { SYMBOLS } from './paint-marks.ts'

/** The number of changes of a category that are shown at first; the others are shown on demand. */
const MAX_SHOWN = 200

interface ChangeListProps {
  changes: readonly ListedChange[]
  chosen: ListedChange | undefined
  onChoose: (change: ListedChange) => void
}

/** The changes by category. The arrow keys move from one to the next. */
export function ChangeList({ changes, chosen, onChoose }: ChangeListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen) findItem(list.current, chosen)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const items = [...list.current!.querySelectorAll<HTMLElement>('[data-change]')]
    const at = items.indexOf(event.target as HTMLElement)
    if (step === 0 || at < 0) return
    event.preventDefault()
    items[at + step]?.focus()
  }
  const byCategory = Map.groupBy(changes, ({ category }) => category)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it take the keys.
    <div ref={list} className={styles.list} onKeyDown={onKeyDown}>
      {[...byCategory].map(([category, some]) => (
        <CategoryOfChanges
          key={category}
          category={category}
          changes={some}
          chosen={chosen}
          onChoose={onChoose}
        />
      ))}
    </div>
  )
}

const findItem = (list: HTMLElement | null, { index }: ListedChange) =>
  list?.querySelector<HTMLElement>(`[data-change="${index}"]`)

function CategoryOfChanges({
  category,
  changes,
  chosen,
  onChoose,
}: ChangeListProps & { category: Category }) {
  const [isLong, setIsLong] = useState(false)
  const isBehind = chosen?.category === category && changes.indexOf(chosen) >= MAX_SHOWN
  if (isBehind && !isLong) setIsLong(true)
  const shown = isLong ? changes : changes.slice(0, MAX_SHOWN)
  return (
    <section aria-labelledby={`changes-${category}`}>
      <h2 id={`changes-${category}`} className={`${sideList.heading} ${styles.category}`}>
        {CATEGORIES[category]} <span className={styles.count}>{changes.length}</span>
      </h2>
      <ul className={sideList.items}>
        {shown.map((change) => (
          <li key={change.index}>
            <button
              type="button"
              className={`${sideList.item} ${styles.item}`}
              data-change={change.index}
              data-keys="comparison"
              aria-current={change === chosen || undefined}
              onClick={() => onChoose(change)}
            >
              <span className={styles.symbol} data-mark={change.located.mark} aria-hidden>
                {SYMBOLS[change.located.mark]}
              </span>
              <span className={styles.words}>{change.text}</span>
            </button>
            {change.change.kind === 'script_changed' && <ScriptHunks change={change.change} />}
          </li>
        ))}
      </ul>
      {shown.length < changes.length && (
        <Button size="compact-xs" variant="subtle" mx={8} onClick={() => setIsLong(true)}>
          Show all {changes.length}
        </Button>
      )}
      {category === 'layout' && (
        <Text size="xs" c="dimmed" px={12} pb={8}>
          Layout has no influence on what is computed.
        </Text>
      )}
    </section>
  )
}

/** What differs in a script, line by line: each begins with its sign. */
function ScriptHunks({ change: { node, parts } }: { change: Extract<Change, { kind: 'script_changed' }> }) {
  return parts.map(({ part, hunks }) => (
    <section
      key={part}
      className={styles.script}
      aria-label={`Lines of ${labelOf(node)}: ${part}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
      tabIndex={0}
    >
      {hunks.map(({ oldStart, newStart, lines }) => (
        <pre key={`${oldStart} ${newStart}`} className={styles.hunk}>
          <span className={styles.hunkHead}>
            Line {oldStart} → {newStart}
          </span>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines never change, and may repeat.
            <span key={index} className={styles.line} data-sign={line.charAt(0)}>
              {`${SIGNS[line.charAt(0)] ?? ' '} ${line.slice(1)}\n`}
            </span>
          ))}
        </pre>
      ))}
    </section>
  ))
}

const SIGNS: Record<string, string> = { '-': '−', '+': '+' }
