import { Loader, Paper, Text, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFocusReturn } from '../../../shell/dialog.tsx'
import styles from './search-list.module.css'

/** An item of the list. */
export interface Choice<T> {
  /** A key that is unique in the list. */
  key: string
  /** Shown in front of the label. */
  icon?: ReactNode
  label: string
  /** Another name, shown after the label. */
  hint?: string
  /** Shown beside the label, less prominently. */
  note: string
  /** Shown below the list while the item is the selected one. */
  details?: ReactNode
  value: T
}

interface SearchListProps<T> {
  /** The position of the upper left corner in the window, in CSS pixels. Moved when the box would not fit. */
  at: { x: number; y: number }
  label: string
  placeholder: string
  /** Shown when no item matches. */
  nothing: string
  isPending?: boolean
  /** Returns the items that match the typed text, best first. */
  search: (typed: string) => readonly Choice<T>[]
  /** Called with what is typed, where it is also searched elsewhere. */
  onType?: (typed: string) => void
  onChoose: (value: T) => void
  close: () => void
}

/** A text field with a list of matches below it. */
export function SearchList<T>(props: SearchListProps<T>) {
  const { at, label, placeholder, nothing, isPending = false, search, onType, onChoose, close } = props
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useFocusReturn(true)
  // An effect, since what had the focus before is noted when the list is shown.
  useEffect(() => field.current?.focus(), [])
  const choices = search(typed)
  const chosen = Math.min(active, choices.length - 1)
  const details = choices[chosen]?.details
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new active item changes which element is selected.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <Paper
      className={styles.box}
      data-panel
      shadow="md"
      withBorder
      style={{
        left: Math.max(8, Math.min(at.x, innerWidth - WIDTH - 8)),
        // On touch screens the box is at the top, since a keyboard on the screen covers the lower half of the window.
        top: matchMedia('(pointer: coarse)').matches
          ? 8
          : Math.max(8, Math.min(at.y, innerHeight - HEIGHT - 8)),
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close()
      }}
    >
      <TextInput
        ref={field}
        placeholder={placeholder}
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls="search-list"
        aria-activedescendant={chosen >= 0 ? `search-list-${chosen}` : undefined}
        aria-describedby={details ? 'search-list-details' : undefined}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          onType?.(currentTarget.value)
          setActive(0)
        }}
        onKeyDown={(event) => {
          event.stopPropagation()
          const choice = choices[chosen]
          if (event.key === 'Escape') close()
          if (event.key === 'Enter' && choice) {
            // The key would press the button that gets the focus back.
            event.preventDefault()
            onChoose(choice.value)
          }
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (!step) return
          event.preventDefault()
          setActive(Math.max(0, Math.min(choices.length - 1, chosen + step)))
        }}
      />
      {isPending && <Loader size="sm" m="sm" aria-label="Loading" />}
      <div ref={list} id="search-list" role="listbox" aria-label={label} className={styles.list}>
        {choices.map(({ key, icon, label, hint, note, value }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field above takes the keys.
          <div
            key={key}
            id={`search-list-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className={styles.choice}
            onPointerDown={(event) => event.preventDefault()}
            onPointerEnter={() => setActive(index)}
            onClick={() => onChoose(value)}
          >
            {icon}
            <span className={styles.name}>
              {label}
              {hint && (
                <Text span size="xs" c="dimmed" ml={6}>
                  {hint}
                </Text>
              )}
            </span>
            <Text span size="xs" c="dimmed" className={styles.note}>
              {note}
            </Text>
          </div>
        ))}
      </div>
      {details && (
        <div id="search-list-details" className={styles.details}>
          {details}
        </div>
      )}
      {!isPending && choices.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          {nothing}
        </Text>
      )}
    </Paper>
  )
}

/** The size of the box in CSS pixels, as in the style sheet. */
const WIDTH = 400
const HEIGHT = 440
