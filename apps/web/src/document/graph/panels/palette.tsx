import type { Node } from '@meadow/contract'
import { readPalette } from '@meadow/contract/web'
import type { SliderState } from '@meadow/document'
import { addNodes, createNode, setPanelText } from '@meadow/document/live'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Doc } from 'yjs'
import { queryOf } from '../../../api/queries.ts'
import type { CanvasPoint } from '../canvas/graph-canvas.tsx'
import { type PaletteChoice, searchPalette } from './palette-search.ts'
import { SearchList } from './search-list.tsx'

interface PaletteProps {
  place: CanvasPoint
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

/** What the solver knows is the same for as long as the server runs. */
export const paletteQuery = { ...queryOf(readPalette), staleTime: Number.POSITIVE_INFINITY }

/** Puts what was chosen on the canvas; gives the new node's id. */
export function addChoice(
  doc: Doc,
  choice: PaletteChoice,
  position: Node['position'],
  origin: unknown,
): string {
  const node = createNode(choice.kind.templateId, { position })
  const { setup } = choice
  if (setup && 'slider' in setup) setUpSlider(node, setup.slider)
  doc.transact(() => {
    addNodes(doc, [node], origin)
    if (setup && 'panelText' in setup) setPanelText(doc, node.instanceId, setup.panelText, origin)
  }, origin)
  return node.instanceId
}

type SliderSetup = Extract<NonNullable<PaletteChoice['setup']>, { slider: object }>['slider']

/** A slider is born with its range: one step to be undone. */
function setUpSlider(node: Node, { minimum, value, maximum, decimals }: SliderSetup): void {
  const state: SliderState = {
    ...(node.state as SliderState),
    minimum,
    maximum,
    decimals,
    interval: decimals === 0 ? 'integer' : 'real',
  }
  node.state = state
  const type = state.interval === 'integer' ? ('integer' as const) : ('number' as const)
  node.values[node.instanceId] = { branches: [{ path: '{0}', values: [{ type, value }] }] }
}
