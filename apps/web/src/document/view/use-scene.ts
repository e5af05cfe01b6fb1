import {
  isCompactScene,
  readCompactScene,
  readEditorScene,
  readScene,
  type Scene,
} from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { type Observed, useObserved } from '../live/observed.ts'

export interface SceneSource {
  documentId: string
  /** The id of the solution; undefined without a solution with geometry. */
  solutionId: string | undefined
  /** Whether somebody works with the geometry: a large scene then follows its sight, which has rounded positions. */
  needsExact: boolean
  /** The preview, which is shown in place of the solution's geometry while it is there. */
  preview: Observed<Scene | undefined>
}

/**
 * The scene to show: the preview, or that of the solution. The last one stays while the next one loads. Undefined where
 * there is no geometry.
 */
export function useScene({ documentId, solutionId, needsExact, preview }: SceneSource) {
  const sight = useStored(documentId, solutionId, 'sight', true)
  const exact = useStored(documentId, solutionId, undefined, needsExact && sight.data?.isExact === false)
  const stored = exact.data ?? sight.data
  const previewed = useObserved(preview)
  const found = previewed ?? (solutionId === undefined ? undefined : stored?.scene)
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  const scene = found ?? (sight.isFetching ? last : undefined)
  return {
    scene: scene && scene.batches.length > 0 ? scene : undefined,
    /** False for the sight of a large scene. */
    isExact: previewed !== undefined || stored?.isExact !== false,
    isLoading: !scene && sight.isFetching,
    error: found ? exact.error : sight.error,
    retry: found ? exact.refetch : sight.refetch,
  }
}

/** The scene of a solution, and whether its positions are exact. */
const useStored = (
  documentId: string,
  solutionId: string | undefined,
  detail: 'sight' | undefined,
  isWanted: boolean,
) =>
  useQuery({
    queryKey: [readEditorScene.path, documentId, solutionId, detail],
    queryFn: async ({ signal }) => {
      const query = detail ? { detail } : {}
      const bytes = await call(readEditorScene, { params: [documentId, solutionId!], query, signal })
      return isCompactScene(bytes)
        ? { scene: readCompactScene(bytes), isExact: false }
        : { scene: readScene(bytes.buffer as ArrayBuffer), isExact: true }
    },
    enabled: solutionId !== undefined && isWanted,
    // A solution never changes; a newer one has another id.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })

/** Shown where there is no geometry. */
export const NO_SCENE: Scene = {
  units: 'none',
  origin: [0, 0, 0],
  boundingBox: null,
  batches: [],
  skipped: 0,
  truncated: false,
  floats: () => new Float32Array(),
  integers: () => new Uint32Array(),
}
