import type { PortReference } from '@meadow/contract'
import {
  type AppDocument,
  type PlayerResult,
  RESULT_VALUES,
  readAppGraph,
  readCompactScene,
  readEditorSolution,
  readPlayerScene,
  readPortData,
} from '@meadow/contract/web'
import {
  fingerprintOf,
  type InputValue,
  labelOfPort,
  type PlayerInput,
  readPlayerInputs,
  resultPortOf,
} from '@meadow/document'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { call } from '../api/call.ts'
import { documentQuery, queryOf } from '../api/queries.ts'
import { listPlayerPorts } from '../document/graph/editing/player-ports.ts'
import { findServerPart } from '../document/preview/needs-server.ts'
import type { PortPage } from '../document/preview/preview-messages.ts'
import { formatState, type InputValues, readState } from './address-state.ts'
import { applyInputs } from './player-inputs.ts'
import { usePlayerPreview } from './use-player-preview.ts'

/** How often the page asks whether the document has changed, or is no longer to be seen. */
export const POLL_MS = 15_000
/**
 * The time after the last change of a value until the address follows, in milliseconds. Each such pause adds a step to
 * the browser's history.
 */
const ADDRESS_MS = 600

export const usePlayerDocument = (documentId: string) =>
  useQuery({ ...documentQuery(documentId), refetchInterval: POLL_MS })

/** The graph as it is now, and the last solution. They are requested at once, beside the properties of the document. */
export function usePlayerContent(documentId: string, updatedAt: string | undefined) {
  const graph = useQuery({
    queryKey: [readAppGraph.path, documentId, updatedAt],
    queryFn: ({ signal }) => call(readAppGraph, { params: [documentId], signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const solution = useQuery({
    ...queryOf(readEditorSolution, { params: [documentId] }),
    refetchInterval: POLL_MS,
  })
  return { graph, solution }
}

type Content = NonNullable<ReturnType<typeof usePlayerContent>['graph']['data']>['graph']
type Solved = NonNullable<ReturnType<typeof usePlayerContent>['solution']['data']>

/** What the page shows, and what changes it. */
export type Player = ReturnType<typeof usePlayer>

export function usePlayer(document: AppDocument, content: Content, { solution }: Solved) {
  const [query, setQuery] = useAddress()
  const [pressed, setPressed] = useState<PlayerInput>()
  const { ports, inputs } = useMemo(() => {
    const ports = listPlayerPorts(content)
    return { ports, inputs: readPlayerInputs(content, ports.inputs) }
  }, [content])
  const { pins, outputs } = useMemo(() => {
    const pins = ports.outputs.filter(({ nodeInstanceId }) => content.nodes[nodeInstanceId])
    return { pins, outputs: pins.map((pin) => resultPortOf(content, pin)) }
  }, [ports, content])
  const { values, notes } = useMemo(() => readState(inputs, query), [inputs, query])
  const given = useMemo<InputValues>(
    () => (pressed ? new Map([...values, [pressed, true]]) : values),
    [values, pressed],
  )
  const current = useMemo(() => applyInputs(content, inputs, given), [content, inputs, given])
  const isStored = useMemo(() => {
    if (!solution || current !== content) return false
    return solution.fingerprint === undefined || solution.fingerprint === fingerprintOf(content)
  }, [solution, current, content])
  const wanted = useMemo(
    () => (isStored ? undefined : { content: current, outputs, solution: solution ?? undefined }),
    [isStored, current, outputs, solution],
  )
  const unchanged = useMemo(
    () => ({ content, outputs, solution: solution ?? undefined }),
    [content, outputs, solution],
  )
  const preview = usePlayerPreview(wanted, unchanged)
  const hiddenIds = useMemo(() => listHidden(content), [content])
  const stored = useStored(document.id, solution, outputs, hiddenIds)
  const { result, trouble, running } = preview
  const ownPart = useMemo(() => Object.values(content.nodes).map(findServerPart).find(Boolean), [content])
  const [serverContent, setServerContent] = useState<Content>()
  if (trouble?.reason === 'content' && serverContent !== content) setServerContent(content)
  // Until there is a result, the stored solution stays, and is marked as that of other values.
  const shown = isStored || !result ? stored : result
  return {
    inputs,
    values: given,
    isPinned: ports.isPinned,
    notes,
    query,
    isChanged: values.size > 0,
    change(input: PlayerInput, value: InputValue) {
      if (input.field.kind === 'button') setPressed(value === true ? input : undefined)
      else setQuery(formatState(inputs, new Map([...values, [input, value]])))
    },
    reset: () => setQuery(''),
    /** The scene that is seen, which may be that of other values. */
    scene: shown.scene,
    results: pins.map((pin, index) => toResult(content, pins, pin, shown.outputs[index])),
    /** Nodes whose preview is off. */
    hiddenIds,
    /** The id of the stored solution, if it has geometry and is what the values give. */
    solutionId: isStored && solution?.hasGeometry ? solution.id : undefined,
    completeness:
      shown === stored ? (solution?.completeness ?? null) : (result?.summary.completeness ?? null),
    units: solution?.units ?? 'none',
    /** What is seen: all words about it follow from this and `isCurrent`. */
    seen: shown === result ? 'preview' : solution ? 'stored' : 'nothing',
    /** Whether what is seen is what the values give. */
    isCurrent: isStored || result?.content === current,
    /** Whether what is seen has few pieces, while a finer scene is made. */
    isRough: shown === result && result.isRough,
    /** Why new values cannot be computed in a browser; undefined if they can, as far as the page knows. */
    serverPart: ownPart ?? (serverContent === content ? ('node' as const) : undefined),
    isLoading: shown === stored && stored.isLoading,
    error: shown === stored ? stored.error : null,
    trouble: trouble?.content === current ? trouble.reason : undefined,
    running,
    stop: preview.stop,
    /** Prepares a change; called when one is near. */
    prepare: preview.prepare,
  } as const
}

function toResult(
  { nodes }: Content,
  pins: readonly PortReference[],
  { nodeInstanceId, portInstanceId }: PortReference,
  page: PortPage | undefined,
): PlayerResult {
  const first = page?.tree.branches.flatMap(({ values }) => values)
  return {
    label: labelOfPort(nodes[nodeInstanceId]!, portInstanceId, pins),
    values: page && first ? { branches: page.branches, count: page.values, first } : null,
  }
}

const listHidden = ({ nodes }: Content): ReadonlySet<string> =>
  new Set(Object.keys(nodes).filter((id) => !nodes[id]!.status.isPreviewed))

const readQuery = () => location.search.slice(1)

/** The query of the address, without its question mark. The address follows a moment after a change. */
function useAddress() {
  const [query, setQuery] = useState(readQuery)
  useEffect(() => {
    const follow = () => setQuery(readQuery())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  useEffect(() => {
    if (query === readQuery()) return undefined
    const write = () => history.pushState(null, '', query ? `?${query}` : location.pathname)
    const timer = setTimeout(write, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [query])
  return [query, setQuery] as const
}

/** The geometry of a stored solution, if it has any. It is read again when `visible` says that other nodes are hidden. */
export const useStoredScene = (documentId: string, solutionId: string | undefined, visible: string | null) =>
  useQuery({
    queryKey: [readPlayerScene.path, documentId, solutionId, visible],
    queryFn: async ({ signal }) =>
      readCompactScene(await call(readPlayerScene, { params: [documentId, solutionId!], signal })),
    enabled: solutionId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })

/** The geometry and the outputs of the stored solution. */
function useStored(
  documentId: string,
  solution: Solved['solution'],
  outputs: readonly PortReference[],
  hiddenIds: ReadonlySet<string>,
) {
  const id = solution?.hasGeometry ? solution.id : undefined
  const scene = useStoredScene(documentId, id, [...hiddenIds].join())
  const pages = useQueries({
    queries: outputs.map(({ nodeInstanceId, portInstanceId }) => ({
      ...queryOf(readPortData, {
        params: [documentId, solution?.id ?? '', nodeInstanceId, portInstanceId],
        query: { limit: RESULT_VALUES },
      }),
      enabled: solution !== null,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  return {
    scene: id === undefined ? undefined : scene.data,
    outputs: pages.map(({ data }) => data),
    isLoading: scene.isFetching && !scene.data,
    error: scene.data ? null : scene.error,
  }
}
