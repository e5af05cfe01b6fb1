import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Choices, Part } from './looks.ts'
import type { SceneValue } from './scene-values.ts'
import type { ViewSession } from './view-session.ts'

interface ChoiceInput {
  session: ViewSession
  selectedIds: ReadonlySet<string>
  /** Nodes whose preview is off. */
  previewOff: ReadonlySet<string>
  onPick: (nodeInstanceIds: readonly string[]) => void
}

/** What of the scene is visible and chosen, and what changes it. */
export interface ChoiceActions {
  choices: Choices
  /** Chooses objects, or adds them to those that are chosen. */
  pick(values: readonly SceneValue[], isAdded?: boolean): void
  hide(): void
  isolate(): void
  /** Shows everything, even of nodes whose preview is off. */
  showAll(): void
  /** Hides and isolates what a named view does. */
  restore(parts: Pick<ViewSession, 'hidden' | 'isolated'>): void
  canHide: boolean
  canShowAll: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

export function useChoices({ session, selectedIds, previewOff, onPick }: ChoiceInput): ChoiceActions {
  const [chosen, setChosen] = useState<readonly SceneValue[]>([])
  const [{ hidden, isolated }, setParts] = useState<Pick<ViewSession, 'hidden' | 'isolated'>>(session)
  const [revealed, setRevealed] = useState(NOTHING)
  useEffect(() => {
    session.hidden = hidden
    session.isolated = isolated
  }, [session, hidden, isolated])
  // A revealed node whose preview was switched on, and off again, is no longer revealed.
  useEffect(() => {
    setRevealed((last) => (last.isSubsetOf(previewOff) ? last : last.intersection(previewOff)))
  }, [previewOff])
  const picked = useMemo(
    () => chosen.filter(({ nodeInstanceId }) => selectedIds.has(nodeInstanceId)),
    [chosen, selectedIds],
  )
  const choices = useMemo<Choices>(
    () => ({ previewOff, revealed, hidden, isolated, selectedIds, picked }),
    [previewOff, revealed, hidden, isolated, selectedIds, picked],
  )
  const pick = useCallback(
    (values: readonly SceneValue[], isAdded = false) => {
      const all = isAdded ? [...picked, ...values] : values
      setChosen(all)
      const ids = all.map(({ nodeInstanceId }) => nodeInstanceId)
      onPick([...new Set(isAdded ? [...selectedIds, ...ids] : ids)])
    },
    [picked, selectedIds, onPick],
  )
  const parts: readonly Part[] =
    picked.length > 0 ? picked : [...selectedIds].map((nodeInstanceId) => ({ nodeInstanceId }))
  return {
    choices,
    pick,
    hide() {
      if (parts.length === 0) return
      setParts({ hidden: [...hidden, ...parts], isolated })
      pick([])
    },
    isolate() {
      if (parts.length > 0) setParts({ hidden: [], isolated: parts })
    },
    showAll() {
      setParts({ hidden: [], isolated: undefined })
      setRevealed(previewOff)
    },
    restore: setParts,
    canHide: parts.length > 0,
    canShowAll: hidden.length > 0 || isolated !== undefined,
  }
}
