import { Center, Checkbox, Loader, Text } from '@mantine/core'
import type { GraphContent, Unit } from '@meadow/contract'
import { readEditorScene, readScene } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../../api/call.ts'
import { Failure } from '../../../shell/failure.tsx'
import { ModelView } from '../../view/model-view.tsx'
import { NO_SCENE } from '../../view/use-scene.ts'
import styles from '../history.module.css'
import {
  compareScenes,
  GEOMETRY_MARKS,
  type GeometryMark,
  isOld,
  mergeScenes,
  originalId,
} from './compare-scenes.ts'

/** The geometry of one of two states of a document. */
export interface ComparedSolution {
  label: string
  content: GraphContent
  /**
   * The id of the solution; undefined if the state was never solved, or its solution is not kept or has no geometry.
   */
  solutionId: string | undefined
  /** Whether it was solved, and has no geometry. */
  isEmpty: boolean
}

interface GeometryDiffProps {
  documentId: string
  before: ComparedSolution
  after: ComparedSolution
  units: Unit
}

const LABELS: Record<GeometryMark, string> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  same: 'the same',
}

/** The geometry of two states of a document in one view, coloured by what was added, removed and changed. */
export function GeometryDiff({ documentId, before, after, units }: GeometryDiffProps) {
  const [one, other] = [useStoredScene(documentId, before), useStoredScene(documentId, after)]
  const [shown, setShown] = useState<ReadonlySet<GeometryMark>>(new Set(GEOMETRY_MARKS))
  const compared = useMemo(
    () =>
      one.data &&
      other.data &&
      compareScenes(
        { scene: one.data, hiddenIds: listHidden(before.content) },
        { scene: other.data, hiddenIds: listHidden(after.content) },
      ),
    [one.data, other.data, before.content, after.content],
  )
  const merged = useMemo(() => compared && mergeScenes(compared, shown), [compared, shown])
  const preview = useMemo(() => ({ read: () => merged?.scene, subscribe: () => () => {} }), [merged])
  const missing = [before, after].filter(({ solutionId, isEmpty }) => solutionId === undefined && !isEmpty)
  if (missing.length > 0)
    return (
      <Center h="100%" p="md">
        <Text c="dimmed" ta="center" maw={420}>
          {`Geometry is compared where both solutions are kept. There is none of: ${missing.map(({ label }) => label).join('; ')}.`}
        </Text>
      </Center>
    )
  const error = one.error ?? other.error
  if (error)
    return (
      <Failure
        error={error}
        retry={() => {
          void one.refetch()
          void other.refetch()
        }}
      />
    )
  if (!compared || !merged)
    return (
      <Center h="100%">
        <Loader aria-label="Loading the geometry" />
      </Center>
    )
  const nodesOf = (nodeId: string) => (isOld(nodeId) ? before : after).content.nodes
  return (
    <div className={styles.section}>
      <ModelView
        documentId={documentId}
        solutionId={undefined}
        units={units}
        preview={preview}
        selectedIds={NONE}
        hiddenIds={merged.hiddenIds}
        namePort={(nodeId, portId) => {
          const node = nodesOf(nodeId)[originalId(nodeId)]
          return { node: node?.nickName ?? '', port: node?.ports[portId]?.name ?? '' }
        }}
        onPick={nothing}
        empty={<Text c="dimmed">Neither has geometry.</Text>}
      />
      <fieldset className={styles.legend}>
        <legend className={styles.legendTitle}>Objects</legend>
        {GEOMETRY_MARKS.map((mark) => (
          <Checkbox
            key={mark}
            size="xs"
            label={
              <>
                <span className={styles.swatch} data-mark={mark} aria-hidden />
                {compared.counts[mark].toLocaleString('en')} {LABELS[mark]}
              </>
            }
            checked={shown.has(mark)}
            onChange={({ currentTarget }) =>
              setShown(
                currentTarget.checked ? shown.union(new Set([mark])) : shown.difference(new Set([mark])),
              )
            }
          />
        ))}
      </fieldset>
    </div>
  )
}

const NONE: ReadonlySet<string> = new Set()
function nothing(): void {}

const useStoredScene = (documentId: string, { solutionId, isEmpty }: ComparedSolution) =>
  useQuery({
    queryKey: [readEditorScene.path, documentId, solutionId ?? 'empty'],
    queryFn: async ({ signal }) => {
      if (solutionId === undefined) return NO_SCENE
      const bytes = await call(readEditorScene, { params: [documentId, solutionId], signal })
      return readScene(bytes.buffer as ArrayBuffer)
    },
    enabled: solutionId !== undefined || isEmpty,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })

const listHidden = ({ nodes }: GraphContent): ReadonlySet<string> =>
  new Set(Object.values(nodes).flatMap(({ instanceId, status }) => (status.isPreviewed ? [] : [instanceId])))
