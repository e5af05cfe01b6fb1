import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Node } from '@meadow/contract'
import type { SliderState } from '@meadow/document'
import { addNodes, createNode, setPanelText } from '@meadow/document/live'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Doc } from 'yjs'
import { paletteQuery, useTeamItems } from '../../../api/palette-query.ts'
import type { CanvasPoint } from '../canvas/graph-canvas.tsx'
import { useGraph } from '../nodes/graph-context.ts'
import styles from '../panels/search-list.module.css'
import { SearchList } from '../panels/search-list.tsx'
import { EntryIcon, NotSolved } from './kind-card.tsx'
import { describePorts, type PaletteChoice, type SliderSetup, searchPalette } from './palette-search.ts'

interface PaletteProps {
  at: CanvasPoint
  close: () => void
  onChoose: (choice: PaletteChoice) => void
}

/** The search for a component to add at a point of the canvas. */
export function Palette({ at, close, onChoose }: PaletteProps) {
  const { teamId } = useGraph()
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed, 200)
  const items = useTeamItems(teamId, asked).kinds
  const { data, failureCount } = useQuery(paletteQuery)
  const kinds = data?.kinds
  const search = useCallback(
    (typed: string) =>
      searchPalette([...(kinds ?? []), ...items], typed).map((choice) => ({
        key: `${choice.kind.templateId}-${choice.label}`,
        icon: <EntryIcon kind={choice.kind} />,
        label: choice.label,
        hint: choice.kind.nickName === choice.kind.name ? '' : choice.kind.nickName,
        note: `${choice.kind.category} · ${choice.kind.subcategory}`,
        details: <KindDetails kind={choice.kind} />,
        value: choice,
      })),
    [kinds, items],
  )
  return (
    <SearchList
      at={at.screen}
      label="What to add"
      placeholder="Search: Series, 0&lt;5&lt;10, &quot;text"
      nothing={
        kinds
          ? 'No component has that name.'
          : 'The list of components could not be loaded yet. Trying again.'
      }
      isPending={!kinds && failureCount === 0}
      search={search}
      onType={setTyped}
      onChoose={onChoose}
      close={close}
    />
  )
}

/** What a kind does, and its ports. */
export function KindDetails({ kind }: Pick<PaletteChoice, 'kind'>) {
  return (
    <>
      <Text size="sm">{kind.description}</Text>
      <NotSolved kind={kind} />
      {(['inputs', 'outputs'] as const).map(
        (side) =>
          kind[side].length > 0 && (
            <Text key={side} size="xs" c="dimmed" className={styles.ports}>
              <span>{side === 'inputs' ? 'In' : 'Out'}</span> {describePorts(kind[side])}
            </Text>
          ),
      )}
    </>
  )
}

/** Adds the chosen node; returns its id. */
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

/** Sets up a slider before it is added, so that adding it is one step to undo. */
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
