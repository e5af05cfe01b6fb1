import {
  ActionIcon,
  Center,
  Group,
  Loader,
  SegmentedControl,
  Text,
  Tooltip,
  useComputedColorScheme,
} from '@mantine/core'
import { useResizeObserver } from '@mantine/hooks'
import { readEditorScene, readScene } from '@meadow/contract/web'
import { IconFocusCentered } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { Failure } from '../../shell/failure.tsx'
import styles from './model-view.module.css'
import { type Colours, createViewer, type Viewer, type ViewMode } from './viewer.ts'

const COLOURS: Record<'light' | 'dark', Colours> = {
  light: { background: '#f4f5f4', body: '#c9d3cc', line: '#2b332e', selected: '#1f9d3f' },
  dark: { background: '#1b1e1c', body: '#7f8b84', line: '#dfe6e1', selected: '#4be073' },
}

/** A pointer that moved no further is a click, in CSS pixels. */
const CLICK_DISTANCE = 4

export interface ModelViewProps {
  documentId: string
  /** Undefined without a solution with geometry. */
  solutionId: string | undefined
  selectedIds: ReadonlySet<string>
  /** Nodes whose preview is off. */
  hiddenIds: ReadonlySet<string>
  /** Called with the node whose geometry was clicked; undefined for a click on the background. */
  onPick: (nodeInstanceId: string | undefined) => void
  /** Shown without a solution with geometry. */
  empty: ReactNode
}

/** The 3D view of a solution's geometry. */
export function ModelView({ documentId, solutionId, selectedIds, hiddenIds, onPick, empty }: ModelViewProps) {
  const scheme = useComputedColorScheme('light')
  const canvas = useRef<HTMLCanvasElement>(null)
  const [frame, size] = useResizeObserver<HTMLDivElement>()
  const [viewer, setViewer] = useState<Viewer>()
  const [mode, setMode] = useState<ViewMode>('shaded')
  const [problem, setProblem] = useState<string>()
  const down = useRef({ x: 0, y: 0 })
  const scene = useQuery({
    queryKey: [readEditorScene.name, documentId, solutionId],
    queryFn: async ({ signal }) => {
      const bytes = await call(readEditorScene, { params: [documentId, solutionId!], signal })
      return readScene(bytes.buffer as ArrayBuffer)
    },
    enabled: solutionId !== undefined,
    // A solution never changes; a newer one has another id.
    staleTime: Number.POSITIVE_INFINITY,
    // The last scene stays visible while the next one loads.
    placeholderData: (last) => last,
    gcTime: 0,
    structuralSharing: false,
  })

  useEffect(() => {
    try {
      const created = createViewer(canvas.current!)
      setViewer(created)
      return () => created.dispose()
    } catch {
      setProblem('This browser cannot draw in three dimensions: WebGL is off.')
      return undefined
    }
  }, [])
  useEffect(() => viewer?.setColours(COLOURS[scheme]), [viewer, scheme])
  useEffect(() => viewer?.setMode(mode), [viewer, mode])
  useEffect(() => viewer?.hide(hiddenIds), [viewer, hiddenIds])
  useEffect(() => viewer?.select(selectedIds), [viewer, selectedIds])
  useEffect(() => viewer?.resize(size.width, size.height), [viewer, size.width, size.height])
  useEffect(() => {
    if (scene.data) viewer?.show(scene.data)
  }, [viewer, scene.data])

  return (
    <div ref={frame} className={styles.frame}>
      <canvas
        ref={canvas}
        className={styles.canvas}
        aria-label="The geometry of the solution. Drag to orbit, scroll to zoom."
        onPointerDown={({ clientX: x, clientY: y }) => {
          down.current = { x, y }
        }}
        onPointerUp={({ clientX: x, clientY: y, currentTarget }) => {
          if (Math.hypot(x - down.current.x, y - down.current.y) > CLICK_DISTANCE) return
          const { left, top } = currentTarget.getBoundingClientRect()
          onPick(viewer?.pick(x - left, y - top)?.nodeInstanceId)
        }}
      />
      <Group className={styles.tools} gap={6}>
        <SegmentedControl
          size="xs"
          aria-label="How bodies are shown"
          value={mode}
          onChange={(next) => setMode(next as ViewMode)}
          data={[
            { value: 'shaded', label: 'Shaded' },
            { value: 'wires', label: 'Wires' },
          ]}
        />
        <Tooltip label="Show all, or what is selected">
          <ActionIcon variant="default" aria-label="Fit the view" onClick={() => viewer?.fit()}>
            <IconFocusCentered size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Center className={styles.message}>
        {problem && <Text c="dimmed">{problem}</Text>}
        {!problem && scene.isError && <Failure error={scene.error} retry={scene.refetch} />}
        {!problem && scene.isFetching && !scene.data && <Loader aria-label="Loading the geometry" />}
        {!problem && !solutionId && empty}
      </Center>
      {scene.data && (scene.data.truncated || scene.data.skipped > 0) && (
        <Text className={styles.note} size="xs" c="dimmed">
          {scene.data.truncated
            ? 'Not everything is shown: there is too much of it.'
            : `${scene.data.skipped} values could not be drawn.`}
        </Text>
      )}
    </div>
  )
}
