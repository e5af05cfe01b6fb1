import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { STATE_FRAGMENT } from '../../solve-state/solve-badge.tsx'
import { useKeys } from '../keys/use-keys.ts'
import type { DocumentHistory } from './history-location.ts'
import type { Comments } from './use-comments.ts'

/** The tabs of the dock that the address of the page opens. */
type AddressTab = 'comments' | 'history'
type OwnTab = 'views' | 'player' | 'properties' | 'state' | 'file'
export type DockTab = AddressTab | OwnTab

/** The dock beside the panes of a document, which shows one panel at a time. */
export interface Dock {
  /** The panel that is open. */
  tab: DockTab | undefined
  open: (tab: DockTab) => void
  close: () => void
  /** Opens a panel, or closes it if it is open. */
  toggle: (tab: DockTab) => void
  /** The element in which the graph that is shown renders the properties of its selected node, while they are open. */
  place: HTMLElement | null
  setPlace: (place: HTMLElement | null) => void
}

/** Returns the dock. The address goes before what was opened here, except for the properties of nodes of a version. */
export function useDock(history: DocumentHistory, comments: Comments | undefined): Dock {
  const [own, setOwn] = useOwnTab()
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const { location, go } = history
  const isVersion = location?.versionId !== undefined && location.withId === undefined
  const addressed: AddressTab | undefined = location ? 'history' : comments?.isOpen ? 'comments' : undefined
  const tab = own === 'properties' && isVersion ? own : (addressed ?? own)

  const open = (next: DockTab) => {
    comments?.setAnchoring(false)
    setOwn(next === 'comments' || next === 'history' ? undefined : next)
    if (next === 'comments') comments?.show()
    else if (next === 'history') go(location ?? {})
    else if (location && !(next === 'properties' && isVersion)) go(undefined)
    else if (comments?.isOpen) comments.close()
  }
  const close = () => {
    setOwn(undefined)
    if (tab === 'history') go(undefined)
    if (tab === 'comments') comments?.close()
  }
  const toggle = (next: DockTab) => (next === tab ? close() : open(next))
  useKeys({ views: () => toggle('views') })
  return { tab, open, close, toggle, place, setPlace }
}

/**
 * Returns the tab that the address does not name, and what changes it. It is the state at first if the address says so in
 * its fragment, which is removed at once: a later change of the address would race with the one that choosing a node makes.
 */
function useOwnTab() {
  const { hash, search, state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (hash === STATE_FRAGMENT) void navigate({ search, hash: '' }, { replace: true, state })
  }, [hash, search, state, navigate])
  return useState<OwnTab | undefined>(hash === STATE_FRAGMENT ? 'state' : undefined)
}
