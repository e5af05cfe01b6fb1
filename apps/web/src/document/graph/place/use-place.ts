import type { GraphPlace } from '@meadow/contract/web'
import { useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { findServiceAddress } from '../../../api/public-path.ts'
import type { Follow } from '../../live/follow.ts'
import type { Arrival } from '../canvas/use-arrival.ts'
import { findLeftCluster, type Place, readPlace, writePlace } from './place.ts'

/** The place that a page shows, and the way to others. */
export interface ShownPlace extends Pick<Place, 'clusterIds'> {
  arrival: Arrival | undefined
  /** Changes the address of the page, which determines the place. */
  go: (place: Place) => void
  /** Leads the canvas to named views. */
  follow?: Follow<GraphPlace>
  /** The whole address of a place of this document, to be sent to others. */
  addressOf: (place: Place) => string
}

/**
 * Returns the place that the page's address names. Back in a graph, the cluster that was left is the node to arrive at.
 */
export function usePlace(): ShownPlace {
  const { pathname, search, hash, key, state } = useLocation()
  const navigate = useNavigate()
  const place = useMemo(() => readPlace(new URLSearchParams(search)), [search])
  const [last, setLast] = useState<{ place: Place; left: string | undefined }>({ place, left: undefined })
  if (last.place !== place) setLast({ place, left: findLeftCluster(last.place, place) })
  const { left } = last
  return useMemo(() => {
    const chosen = readChoice(state) ?? place.nodeIds
    const nodeIds = chosen ?? (left === undefined ? [] : [left])
    return {
      clusterIds: place.clusterIds,
      arrival: nodeIds.length === 0 ? undefined : { nodeIds, key, isRevealed: chosen !== undefined },
      go: (next) => {
        // Choosing nodes adds no step to the browser's history.
        const isHere = next.clusterIds.join() === place.clusterIds.join()
        void navigate(
          { search: writePlace(next, new URLSearchParams(search)), hash },
          { replace: isHere, state: { nodeIds: next.nodeIds } },
        )
      },
      addressOf: (next) =>
        findServiceAddress() + pathname.replace(/^\/embed\//, '/documents/') + writePlace(next),
    }
  }, [place, left, key, state, navigate, pathname, search, hash])
}

/** The nodes that were chosen on the way here, in the state of the browser's history. */
function readChoice(state: unknown): readonly string[] | undefined {
  const nodeIds =
    typeof state === 'object' && state !== null && 'nodeIds' in state ? state.nodeIds : undefined
  return Array.isArray(nodeIds) && nodeIds.every((id) => typeof id === 'string') ? nodeIds : undefined
}
