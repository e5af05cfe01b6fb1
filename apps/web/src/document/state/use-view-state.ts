import type { GraphPlace } from '@meadow/contract/web'
import { useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { findServiceAddress } from '../../api/public-path.ts'
import type { Follow } from '../live/follow.ts'
import { findLeftCluster, type GraphLocation, readLocation, writeLocation } from './graph-location.ts'

/** Nodes that the reader is led to, by an address, from a list, or on the way back from the content of a cluster. */
export interface Arrival {
  nodeIds: readonly string[]
  /** A key that is different for each arrival. */
  key: string
  /** Whether the canvas moves to the nodes. Otherwise its view stays as it was. */
  isRevealed: boolean
}

/** What a page shows of its document, and the way to other parts. */
export interface ViewState extends Pick<GraphLocation, 'clusterIds'> {
  arrival: Arrival | undefined
  /** Changes the address of the page, which determines the view state. */
  go: (location: GraphLocation) => void
  /** Leads the canvas to named views. */
  follow?: Follow<GraphPlace>
  /** The whole address of a location in this document, to be sent to others. */
  addressOf: (location: GraphLocation) => string
}

/**
 * Returns the view state that the page's address names. Back in a graph, the cluster that was left is the node to arrive at.
 */
export function useViewState(): ViewState {
  const { pathname, search, hash, key, state } = useLocation()
  const navigate = useNavigate()
  const location = useMemo(() => readLocation(new URLSearchParams(search)), [search])
  const [last, setLast] = useState<{ location: GraphLocation; left: string | undefined }>({
    location,
    left: undefined,
  })
  if (last.location !== location) setLast({ location, left: findLeftCluster(last.location, location) })
  const { left } = last
  return useMemo(() => {
    const chosen = readChoice(state) ?? location.nodeIds
    const nodeIds = chosen ?? (left === undefined ? [] : [left])
    return {
      clusterIds: location.clusterIds,
      arrival: nodeIds.length === 0 ? undefined : { nodeIds, key, isRevealed: chosen !== undefined },
      go: (next) => {
        // Choosing nodes adds no step to the browser's history.
        const isHere = next.clusterIds.join() === location.clusterIds.join()
        void navigate(
          { search: writeLocation(next, new URLSearchParams(search)), hash },
          { replace: isHere, state: { nodeIds: next.nodeIds } },
        )
      },
      addressOf: (next) =>
        findServiceAddress() + pathname.replace(/^\/embed\//, '/documents/') + writeLocation(next),
    }
  }, [location, left, key, state, navigate, pathname, search, hash])
}

/** The nodes that were chosen on the way here, in the state of the browser's history. */
function readChoice(state: unknown): readonly string[] | undefined {
  const nodeIds =
    typeof state === 'object' && state !== null && 'nodeIds' in state ? state.nodeIds : undefined
  return Array.isArray(nodeIds) && nodeIds.every((id) => typeof id === 'string') ? nodeIds : undefined
}
