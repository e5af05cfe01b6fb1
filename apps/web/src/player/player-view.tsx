import { ActionIcon, Center, Group, NativeSelect, Text, useComputedColorScheme } from '@mantine/core'
import { useResizeObserver } from '@mantine/hooks'
import type { Scene } from '@meadow/contract/web'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLabelWithKey } from '../document/keys/character-keys-switch.tsx'
import type { StandardView } from '../document/view/camera/framing.ts'
import { lookFrom, readViewKey, VIEW_NAMES } from '../document/view/camera/view-keys.ts'
import { NO_CHOICES } from '../document/view/scene/looks.ts'
import { COLOURS, DISPLAY } from '../document/view/view-colours.ts'
import { createViewer, type Viewer } from '../document/view/viewer.ts'
import { IconFocusCentered } from '../shell/icons.ts'
import styles from './player.module.css'

/** A value rests when no other scene came for this long, in milliseconds. */
const REST_MS = 500

interface PlayerViewProps {
  scene: Scene | undefined
  /** Whether a finer scene follows in a moment. */
  isRough: boolean
  /** Nodes whose preview is off. */
  hiddenIds: ReadonlySet<string>
  /** Shown if there is no geometry. */
  empty: ReactNode
}

/**
 * The geometry, to be looked at. The 3D view of the editor has the same viewer, and tools that measure, cut and choose,
 * for which the scene of a first sight is not exact enough.
 */
export function PlayerView({ scene, isRough, hiddenIds, empty }: PlayerViewProps) {
  const scheme = useComputedColorScheme('light')
  const canvas = useRef<HTMLCanvasElement>(null)
  const [frame, size] = useResizeObserver<HTMLDivElement>()
  const [viewer, setViewer] = useState<Viewer>()
  const [isOff, setIsOff] = useState(false)
  const [isOutOfView, setIsOutOfView] = useState(false)
  useEffect(() => {
    const created = createViewer(canvas.current!, {
      onStatus: (status) => setIsOutOfView(status.isOutOfView),
      onMove: () => {},
    })
    if (!created) {
      setIsOff(true)
      return undefined
    }
    created.setDisplay({ ...DISPLAY, isocurves: false })
    setViewer(created)
    return created.dispose
  }, [])
  useEffect(() => viewer?.setColours(COLOURS[scheme]), [viewer, scheme])
  useEffect(() => viewer?.choose({ ...NO_CHOICES, previewOff: hiddenIds }), [viewer, hiddenIds])
  useEffect(() => viewer?.resize(size.width, size.height), [viewer, size.width, size.height])
  useEffect(() => {
    if (!viewer || !scene) return undefined
    viewer.show(scene, isRough)
    const timer = setTimeout(viewer.rest, REST_MS)
    return () => clearTimeout(timer)
  }, [viewer, scene, isRough])
  const isEmpty = !scene || scene.batches.length === 0

  const look = (view: StandardView) => {
    if (!viewer) return
    viewer.move(lookFrom(viewer.viewpoint, view))
    viewer.fit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const read = viewer && readViewKey(event, viewer.viewpoint, ['fit'])
    if (!read) return
    if ('moved' in read) viewer.move(read.moved)
    else viewer.fit()
    event.preventDefault()
  }

  const fitLabel = useLabelWithKey('Fit the view', 'fit')
  return (
    <div ref={frame} className={styles.frame}>
      <canvas
        ref={canvas}
        className={styles.canvas}
        data-keys="model"
        tabIndex={0}
        role="img"
        aria-label="The geometry. Drag or press the arrow keys to orbit, scroll or press + and - to zoom."
        data-drawn={scene && !isEmpty ? scene.batches.length : undefined}
        onKeyDown={onKeyDown}
      />
      <Group className={styles.tools} gap={6} wrap="nowrap">
        <NativeSelect
          aria-label="View"
          size="xs"
          data={[
            { value: '', label: 'View' },
            ...Object.entries(VIEW_NAMES).map(([value, label]) => ({ value, label })),
          ]}
          value=""
          onChange={({ currentTarget: { value } }) => value && look(value as StandardView)}
        />
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Fit the view"
          title={fitLabel}
          onClick={() => viewer?.fit()}
        >
          <IconFocusCentered size={17} />
        </ActionIcon>
      </Group>
      <Center className={styles.message}>
        {isOff ? (
          <Text c="dimmed">This browser cannot draw in three dimensions: WebGL is off.</Text>
        ) : isEmpty ? (
          empty
        ) : isOutOfView ? (
          <Text c="dimmed">Nothing is in view: press “Fit the view”.</Text>
        ) : null}
      </Center>
      {scene?.truncated && (
        <Text className={styles.note} size="xs" c="dimmed">
          Not everything is shown: there is too much of it.
        </Text>
      )}
    </div>
  )
}
