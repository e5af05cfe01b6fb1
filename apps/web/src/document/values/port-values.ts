import type { DataBranch, PortReference } from '@meadow/contract'
import { PORT_PAGE_VALUES, readPortData } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { type Observed, useObserved } from '../live/observed.ts'
import type { PreviewController } from '../preview/preview-controller.ts'
import type { PortPage } from '../preview/preview-messages.ts'

/** Where the values of ports are read from: a stored solution, or the preview in its place. */
export interface ValueSource {
  documentId: string
  /** The id of the stored solution; undefined if there is none. */
  solutionId: string | undefined
  preview: Pick<PreviewController, 'count' | 'readPort'> | undefined
}

/** The first values of a port, in the order of branches. */
export interface PortValues {
  /** The number of values in all branches, with nulls and values that are not loaded. */
  total: number
  nulls: number
  branchCount: number
  branches: DataBranch[]
  loaded: number
}

const NO_PREVIEW: Observed<number> = { read: () => 0, subscribe: () => () => {} }

/**
 * Loads up to `most` values of a port, page by page. While a value is dragged, the last values stay until those of the
 * next preview are there.
 */
export function usePortValues(source: ValueSource, port: PortReference | undefined, most: number) {
  const { documentId, solutionId, preview } = source
  const previews = useObserved(preview?.count ?? NO_PREVIEW)
  const [progress, setProgress] = useState(0)
  const { nodeInstanceId, portInstanceId } = port ?? {}
  const query = useQuery({
    queryKey: ['portValues', documentId, solutionId, nodeInstanceId, portInstanceId, previews, most],
    queryFn: ({ signal }) => loadValues(source, port!, most, signal, setProgress),
    enabled: port !== undefined && (preview !== undefined || solutionId !== undefined),
    placeholderData: (last, query) =>
      query?.queryKey[3] === nodeInstanceId && query?.queryKey[4] === portInstanceId ? last : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // The values may be large, and the user soon chooses another port.
    gcTime: 10_000,
    structuralSharing: false,
  })
  return {
    values: query.data,
    isLoading: query.isFetching,
    progress,
    error: query.error,
    retry: query.refetch,
  }
}

/** Reads up to `most` values of a port, page by page. */
export async function loadValues(
  { documentId, solutionId, preview }: ValueSource,
  port: PortReference,
  most: number,
  signal: AbortSignal,
  onProgress: (loaded: number) => void,
): Promise<PortValues> {
  const loaded: PortValues = { total: 0, nulls: 0, branchCount: 0, branches: [], loaded: 0 }
  onProgress(0)
  for (let from: number | null = 0; from !== null && from < most; ) {
    const limit = Math.min(most - from, preview ? most : PORT_PAGE_VALUES)
    const page: PortPage | undefined = preview
      ? await preview.readPort(port, from, limit)
      : await call(readPortData, {
          params: [documentId, solutionId!, port.nodeInstanceId, port.portInstanceId],
          query: { from, limit },
          signal,
        })
    if (!page || signal.aborted) return loaded
    addPage(loaded, page)
    onProgress(loaded.loaded)
    from = page.next
  }
  return loaded
}

function addPage(loaded: PortValues, { branches, values, nulls, tree, firstIndex }: PortPage): void {
  loaded.total = values
  loaded.nulls = nulls
  loaded.branchCount = branches
  for (const [number, branch] of tree.branches.entries()) {
    const last = loaded.branches.at(-1)
    if (number === 0 && firstIndex > 0 && last?.path === branch.path)
      for (const value of branch.values) last.values.push(value)
    else loaded.branches.push({ path: branch.path, values: [...branch.values] })
    loaded.loaded += branch.values.length
  }
}
