import type { GraphContent, Node } from '@meadow/contract'
import { createNode, type Lost, listLosses, replaceNode } from '@meadow/document/live'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Doc } from 'yjs'
import type { PaletteKind } from '../../../api/palette-query.ts'
import { paletteQuery } from '../../../api/palette-query.ts'
import { KindIcon } from '../icons/kind-icon.tsx'
import { boxOf, labelOf } from '../layout/node-box.ts'
import { SearchList } from '../panels/search-list.tsx'
import { searchKinds } from './palette-search.ts'
import { KindDetails } from './palette-search-box.tsx'

interface ReplaceSearchProps {
  node: Node
  content: GraphContent
  /** The position in CSS pixels of the window. */
  at: { x: number; y: number }
  close: () => void
  onChoose: (templateId: string) => void
}

/** The search for the kind that a node is replaced by: kinds that keep all of its wires come first. */
export function ReplaceSearch({ node, content, at, close, onChoose }: ReplaceSearchProps) {
  const { data } = useQuery(paletteQuery)
  const kinds = useMemo(
    () => (data?.kinds ?? []).filter(({ templateId }) => templateId !== node.templateId),
    [data, node.templateId],
  )
  const losses = useMemo(
    () =>
      listLosses(
        content,
        node.instanceId,
        kinds.map(({ templateId }) => templateId),
      ),
    [content, node.instanceId, kinds],
  )
  const family = data?.kinds.find(({ templateId }) => templateId === node.templateId)
  return (
    <SearchList
      at={at}
      label={`Replace “${labelOf(node)}” by`}
      placeholder="Search: Rotate, Series"
      nothing={data ? 'No component has that name.' : 'The list of components could not be loaded yet.'}
      search={(typed) =>
        rankByLosses(searchKinds(kinds, typed), losses, typed.trim() === '' ? family : undefined).map(
          (kind) => ({
            key: kind.templateId,
            icon: <KindIcon templateId={kind.templateId} />,
            label: kind.name,
            note: describeLoss(losses.get(kind.templateId)),
            details: <KindDetails kind={kind} />,
            value: kind.templateId,
          }),
        )
      }
      onChoose={onChoose}
      close={close}
    />
  )
}

/** The number of kinds that are shown, as in the palette. */
const MAX_SHOWN = 30

/**
 * Sorts kinds by the number of wires that are lost. Of equal ones, kinds of the same family come first, and others keep
 * their order.
 */
function rankByLosses<K extends Pick<PaletteKind, 'templateId' | 'category' | 'subcategory'>>(
  kinds: readonly K[],
  losses: ReadonlyMap<string, Lost>,
  family: Pick<K, 'category' | 'subcategory'> | undefined,
): K[] {
  const lostOf = ({ templateId }: K) => losses.get(templateId)?.lostWires ?? 0
  const farOf = ({ category, subcategory }: K) =>
    category !== family?.category ? 2 : subcategory === family.subcategory ? 0 : 1
  return kinds.toSorted((a, b) => lostOf(a) - lostOf(b) || farOf(a) - farOf(b)).slice(0, MAX_SHOWN)
}

/** What is lost, in a few words. */
function describeLoss(lost: Lost | undefined): string {
  if (!lost || lost.lostPorts.length === 0) return 'keeps everything'
  if (lost.lostWires === 0) return `loses ${lost.lostPorts.join(', ')}`
  return lost.lostWires === 1 ? 'loses 1 wire' : `loses ${lost.lostWires} wires`
}

/** Replaces a node by one of another class. Returns the new one, and what found no place in words; nothing where all did. */
export function replaceKind(live: Doc, old: Node, templateId: string, origin: unknown) {
  const to = { templateId, position: findPosition(old, templateId) }
  const { nodeInstanceId, lostWires, lostPorts } = replaceNode(live, old.instanceId, to, origin)
  const notice = lostPorts.length === 0 ? undefined : describeLost(labelOf(old), lostWires, lostPorts)
  return { nodeInstanceId, notice }
}

/** Returns the position at which a node of another class has its middle where this node has it. */
function findPosition(old: Node, templateId: string): Node['position'] {
  const [box, next] = [boxOf(old), boxOf(createNode(templateId, { position: { x: 0, y: 0 } }))]
  return {
    x: box.x + box.width / 2 - (next.x + next.width / 2),
    y: box.y + box.height / 2 - (next.y + next.height / 2),
  }
}

function describeLost(name: string, wires: number, ports: readonly string[]): string {
  const what = wires === 0 ? 'What was set' : wires === 1 ? 'One wire' : `${wires} wires`
  return `“${name}” is replaced. ${what} found no place: ${ports.join(', ')}.`
}
