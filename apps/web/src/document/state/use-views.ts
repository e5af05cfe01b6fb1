import type { AppDocument, GraphPlace, ModelPlace, NamedView, ViewPlace } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { notifyText } from '../../shell/notices.tsx'
import type { Follow } from '../live/follow.ts'
import { viewsQuery } from '../live/views-query.ts'
import { writeLocation } from './graph-location.ts'
import type { ViewState } from './use-view-state.ts'

/** The parameter of the address that names the view that was chosen last. */
const VIEW = 'view'

/** The named views of a document, and what the page shows of them. */
export interface Views {
  /** The views of the document; undefined until they are loaded. */
  list: readonly NamedView[] | undefined
  error: Error | null
  retry: () => void
  /** The id of the view that was chosen last, here or by the address. */
  chosenId: string | undefined
  choose: (view: NamedView) => void
  /** Has the address name a view that shows what is seen already. */
  mark: (view: NamedView) => void
  /** What a pane shows now; undefined while it shows nothing. */
  read: (kind: ViewPlace['kind']) => ViewPlace | undefined
  graph: Follow<GraphPlace>
  model: Follow<ModelPlace>
}

interface ViewsInput {
  document: AppDocument
  viewState: ViewState
  isLive: boolean
  /** Whether the list is open. */
  isOpen: boolean
  /** Makes a pane visible. */
  show: (kind: ViewPlace['kind']) => void
}

/** How often readers without a live connection ask for new views while they see the list. */
const POLL_MS = 15_000

export function useViews({ document, viewState, isLive, isOpen, show }: ViewsInput): Views {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const graph = useFollowOf<GraphPlace>()
  const model = useFollowOf<ModelPlace>()
  const chosenId = new URLSearchParams(search).get(VIEW) || undefined
  const { data, error, refetch } = useQuery({
    ...viewsQuery(document.id),
    enabled: isOpen || chosenId !== undefined,
    refetchInterval: isOpen && !isLive && POLL_MS,
  })
  /** The view that the address had last, and the one that this page gave it. */
  const seenId = useRef<string>(undefined)
  const ownId = useRef<string>(undefined)

  const mark = (view: NamedView) => {
    ownId.current = view.id
    const query = new URLSearchParams(search)
    query.set(VIEW, view.id)
    const clusterIds = view.place.kind === 'graph' ? view.place.clusters : viewState.clusterIds
    const isHere = clusterIds.join() === viewState.clusterIds.join()
    // Going from view to view adds no step to the browser's history, but leaving a graph does.
    void navigate({ search: writeLocation({ clusterIds }, query), hash }, { replace: isHere })
  }
  const showView = (view: NamedView, isInstant: boolean) => {
    if (view.place.kind === 'graph') graph.start(view.place, isInstant)
    else model.start(view.place, isInstant)
    show(view.place.kind)
    mark(view)
  }
  const arrive = useEffectEvent((views: readonly NamedView[]) => {
    // The address changes a while after this page asked for it.
    if (chosenId === seenId.current) return
    seenId.current = chosenId
    if (chosenId === undefined || chosenId === ownId.current) return
    const view = views.find(({ id }) => id === chosenId)
    if (view) showView(view, true)
    else notifyText('The view that the address names was deleted.')
  })
  const views = data?.views
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when the address names another one.
  useEffect(() => {
    if (views) arrive(views)
  }, [views, chosenId])

  return {
    list: views,
    error,
    retry: () => void refetch(),
    chosenId,
    choose: (view) => showView(view, false),
    mark,
    read: (kind) => (kind === 'graph' ? graph.follow : model.follow).reader.current?.(),
    graph: graph.follow,
    model: model.follow,
  }
}

function useFollowOf<Place>() {
  const [flight, setFlight] = useState<Follow<Place>['flight']>()
  const reader = useRef<(() => Place | undefined) | undefined>(undefined)
  const follow = useMemo<Follow<Place>>(
    () => ({ flight, onDeparted: () => setFlight(undefined), reader }),
    [flight],
  )
  return { follow, start: (place: Place, isInstant: boolean) => setFlight({ place, isInstant }) }
}
