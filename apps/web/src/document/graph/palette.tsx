import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { CanvasPlace } from './graph-canvas.tsx'
import { paletteQuery } from './palette-query.ts'
import { type PaletteChoice, searchPalette } from './palette-search.ts'
import { SearchList } from './search-list.tsx'

interface PaletteProps {
  place: CanvasPlace
  close: () => void
  onChoose: (choice: PaletteChoice) => void
}

/** Everything that the solver knows, by what one types. */
export function Palette({ place, close, onChoose }: PaletteProps) {
  const { data, isPending, isError } = useQuery(paletteQuery)
  const kinds = data?.kinds
  const search = useCallback(
    (typed: string) =>
      searchPalette(kinds ?? [], typed).map((choice) => ({
        key: `${choice.kind.templateId}-${choice.label}`,
        label: choice.label,
        note: `${choice.kind.category} · ${choice.kind.subcategory}`,
        title: choice.kind.description,
        value: choice,
      })),
    [kinds],
  )
  return (
    <SearchList
      at={place.screen}
      label="What to add"
      placeholder="Search: Series, 0&lt;5&lt;10, &quot;text"
      nothing={isError ? 'What can be added could not be loaded.' : 'The solver knows nothing of that name.'}
      isPending={isPending}
      search={search}
      onChoose={onChoose}
      close={close}
    />
  )
}
