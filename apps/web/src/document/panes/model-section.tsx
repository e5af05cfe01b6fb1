import { Button, Stack, Text } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import type { CommentAnchor } from '@meadow/contract/web'
import { useRef } from 'react'
import type { Vector3 } from 'three'
import { lazyPart, notLoaded } from '../../shell/lazy-part.tsx'
import { describeNoGeometry } from '../../solve-state/describe-solve.ts'
import { LazyModelPins } from '../comments/lazy-comments.tsx'
import { NOTHING } from '../live/observed.ts'
import { useEditor } from '../state/store.ts'
import type { SceneValue } from '../view/scene/scene-values.ts'
import styles from './panes.module.css'

/** The 3D view, which the graph does not wait for. */
const LazyModelView = lazyPart(() => import('../view/model-view.tsx'), 'ModelView', notLoaded('The geometry'))

/** The geometry of the document's solution, or of the preview in its place. */
export function ModelSection() {
  const { document, content, comments, pinned, revealed, views, ...editor } = useEditor()
  const { stored, solution, preview, previews } = editor
  const hiddenIds = useHiddenIds(content)
  return (
    <section className={styles.section} aria-label="Geometry">
      <LazyModelView
        documentId={document.id}
        solutionId={stored?.hasGeometry ? stored.id : undefined}
        units={stored?.units ?? 'none'}
        preview={previews?.scene ?? NOTHING}
        selectedIds={editor.selectedIds}
        hiddenIds={hiddenIds}
        namePort={(nodeId, portId) => {
          const node = content.nodes[nodeId]
          return { node: node?.nickName ?? '', port: node?.ports[portId]?.name ?? '' }
        }}
        onPick={editor.pick}
        data={{ content, solution, solutionId: stored?.id, preview }}
        asked={editor.highlighted}
        empty={<NoGeometry />}
        follow={views.model}
        onAnchor={
          comments?.isAnchoring ? (point, value) => comments.setAnchor(toAnchor(point, value)) : undefined
        }
        overlay={
          pinned && ((viewer) => <LazyModelPins comments={pinned} viewer={viewer} revealed={revealed} />)
        }
      />
    </section>
  )
}

/** The anchor of a comment on a point of the model. */
const toAnchor = ({ x, y, z }: Vector3, value: SceneValue | undefined): CommentAnchor => ({
  ...{ kind: 'point', x, y, z },
  on: value
    ? { node: value.nodeInstanceId, port: value.portInstanceId, path: value.path, index: value.index }
    : null,
})

/** Shown in the 3D view of a solution without geometry. */
function NoGeometry() {
  const { summary, dock } = useEditor()
  const { sentence, isGap } = describeNoGeometry(summary)
  return (
    <Stack align="center" gap="xs" p="md" maw={420}>
      <Text c="dimmed" ta="center">
        {sentence}
      </Text>
      {isGap && dock && (
        <Button size="xs" variant="default" className={styles.button} onClick={() => dock.open('state')}>
          Show what is missing
        </Button>
      )}
    </Stack>
  )
}

/** Returns the nodes whose preview is off. The set keeps its identity while its members stay the same. */
function useHiddenIds({ nodes }: GraphContent): ReadonlySet<string> {
  const last = useRef<ReadonlySet<string>>(new Set())
  const hidden = Object.values(nodes).flatMap(({ instanceId, status }) =>
    status.isPreviewed ? [] : [instanceId],
  )
  if (hidden.length !== last.current.size || hidden.some((id) => !last.current.has(id)))
    last.current = new Set(hidden)
  return last.current
}
