import { readEditorScene, readScene, type Scene } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { type Observed, useObserved } from '../live/observed.ts'

export interface SceneSource {
  documentId: string
  /** The id of the solution; undefined without a solution with geometry. */
  solutionId: string | undefined
  /** The preview, which is shown in place of the solution's geometry while it is there. */
  preview: Observed<Scene | undefined>
}

/**
 * The scene to show: the preview, or that of the solution. The last one stays while the next one loads. Undefined where
 * there is no geometry.
 */
export function useScene({ documentId, solutionId, preview }: SceneSource) {
  const stored = useQuery({
    queryKey: [readEditorScene.path, documentId, solutionId],
    queryFn: async ({ signal }) => {
      const bytes = await call(readEditorScene, { params: [documentId, solutionId!], signal })
      return readScene(bytes.buffer as ArrayBuffer)
    },
    enabled: solutionId !== undefined,
    // A solution never changes; a newer one has another id.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  const previewed = useObserved(preview)
  const found = previewed ?? (solutionId === undefined ? undefined : stored.data)
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  const scene = found ?? (stored.isFetching ? last : undefined)
  return {
    scene: scene && scene.batches.length > 0 ? scene : undefined,
    isLoading: !scene && stored.isFetching,
    error: found ? null : stored.error,
    retry: stored.refetch,
  }
}

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
