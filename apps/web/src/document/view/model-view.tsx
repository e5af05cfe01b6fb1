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
import { IconFocusCentered } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Failure } from '../../shell/failure.tsx'
import styles from './model-view.module.css'
import { NO_SCENE, type SceneSource, useScene } from './use-scene.ts'
import { type Colours, createViewer, type Viewer, type ViewMode } from './viewer.ts'

const COLOURS: Record<'light' | 'dark', Colours> = {
  light: { background: '#f4f5f4', body: '#c9d3cc', line: '#2b332e', selected: '#1f9d3f' },
  dark: { background: '#1b1e1c', body: '#7f8b84', line: '#dfe6e1', selected: '#4be073' },
}

/** A pointer that moved no further is a click, in CSS pixels. */
const CLICK_DISTANCE = 4

export interface ModelViewProps extends SceneSource {
  selectedIds: ReadonlySet<string>
  /** Nodes whose preview is off. */
  hiddenIds: ReadonlySet<string>
  /** Called with the node whose geometry was clicked; undefined for a click on the background. */
  onPick: (nodeInstanceId: string | undefined) => void
  /** Shown without a solution with geometry. */
  empty: ReactNode
}

/** The 3D view of a solution's geometry. */
export function ModelView(props: ModelViewProps) {
  const { documentId, solutionId, preview, selectedIds, hiddenIds, onPick, empty } = props
  const scheme = useComputedColorScheme('light')
  const canvas = useRef<HTMLCanvasElement>(null)
  const [frame, size] = useResizeObserver<HTMLDivElement>()
  const [viewer, setViewer] = useState<Viewer>()
  const [mode, setMode] = useState<ViewMode>('shaded')
  const [problem, setProblem] = useState<string>()
  const down = useRef({ x: 0, y: 0 })
  const { scene, isLoading, error, retry } = useScene({ documentId, solutionId, preview })

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
  useEffect(() => viewer?.show(scene ?? NO_SCENE), [viewer, scene])

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
        {!problem && error && <Failure error={error} retry={retry} />}
        {!problem && isLoading && <Loader aria-label="Loading the geometry" />}
        {!problem && !error && !isLoading && !scene && empty}
      </Center>
      {scene && (scene.truncated || scene.skipped > 0) && (
        <Text className={styles.note} size="xs" c="dimmed">
          {scene.truncated
            ? 'Not everything is shown: there is too much of it.'
            : `${scene.skipped} values could not be drawn.`}
        </Text>
      )}
    </div>
  )
}
