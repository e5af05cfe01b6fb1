import { Loader, Paper, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CanvasPlace } from './graph-canvas.tsx'
import styles from './palette.module.css'
import { paletteQuery } from './palette-query.ts'
import { type PaletteChoice, searchPalette } from './palette-search.ts'

interface PaletteProps {
  place: CanvasPlace
  close: () => void
  onChoose: (choice: PaletteChoice) => void
}

/** Everything that the solver knows, by what one types. */
export function Palette({ place, close, onChoose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const kinds = useQuery(paletteQuery)
  const list = useRef<HTMLDivElement>(null)
  const choices = useMemo(() => searchPalette(kinds.data?.kinds ?? [], typed), [kinds.data, typed])
  const chosen = choices[Math.min(active, choices.length - 1)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is active changes which line is marked.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <Paper
      className={styles.palette}
      shadow="md"
      withBorder
      style={{
        left: Math.min(place.screen.x, innerWidth - WIDTH - 8),
        top: Math.max(8, Math.min(place.screen.y, innerHeight - HEIGHT - 8)),
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close()
      }}
    >
      <TextInput
        data-autofocus
        autoFocus
        placeholder="Search: Series, 0<5<10, &quot;text"
        role="combobox"
        aria-label="What to add"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={chosen && `palette-${choices.indexOf(chosen)}`}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setActive(0)
        }}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape') close()
          if (event.key === 'Enter' && chosen) onChoose(chosen)
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (!step) return
          event.preventDefault()
          setActive((now) => Math.max(0, Math.min(choices.length - 1, now + step)))
        }}
      />
      {kinds.isPending && <Loader size="sm" m="sm" aria-label="Loading" />}
      <div ref={list} id="palette-list" role="listbox" aria-label="What can be added" className={styles.list}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field above takes the keys.
          <div
            key={`${choice.kind.templateId}-${choice.label}`}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={choice === chosen}
            className={styles.choice}
            title={choice.kind.description}
            onPointerDown={(event) => event.preventDefault()}
            onPointerEnter={() => setActive(index)}
            onClick={() => onChoose(choice)}
          >
            <span>{choice.label}</span>
            <Text span size="xs" c="dimmed">
              {choice.kind.category} · {choice.kind.subcategory}
            </Text>
          </div>
        ))}
      </div>
      {kinds.isSuccess && choices.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          The solver knows nothing of that name.
        </Text>
      )}
    </Paper>
  )
}

/** In CSS pixels, as in the style sheet. */
const WIDTH = 340
const HEIGHT = 380
