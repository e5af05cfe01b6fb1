import { Button, Center, Loader, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useResizeObserver } from '@mantine/hooks'
import { UNIT_SYMBOLS, type Unit } from '@meadow/contract'
import type { ModelPlace } from '@meadow/contract/web'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Vector3 } from 'three'
import { Failure } from '../../shell/failure.tsx'
import { useRemembered } from '../../shell/first-render.ts'
import { lazyPart, notLoaded } from '../../shell/lazy-part.tsx'
import type { Follow } from '../live/follow.ts'
import type { StandardView } from './camera/framing.ts'
import { lookFrom, readViewKey } from './camera/view-keys.ts'
import type { ViewData } from './colour/colour-panel.tsx'
import { useColouring } from './colour/use-colouring.ts'
import type { Section } from './drawing/section.ts'
import styles from './model-view.module.css'
import type { Paint, SceneValue, SceneValues } from './scene/scene-values.ts'
import { useChoices } from './scene/use-choices.ts'
import { openViewSession, storeCamera } from './scene/view-session.ts'
import { addPoint, type Measurement, MeasurePanel } from './tools/measure-panel.tsx'
import { type NamePort, ObjectPanel } from './tools/object-panel.tsx'
import { placeSection, SectionPanel } from './tools/section-panel.tsx'
import { type Tool, ViewToolbar } from './tools/view-toolbar.tsx'
import { useFollowModel } from './use-follow-model.ts'
import { usePointer } from './use-pointer.ts'
import { NO_SCENE, type SceneSource, useScene } from './use-scene.ts'
import { COLOURS, DISPLAY } from './view-colours.ts'
import { createViewer, type Viewer, type ViewStatus } from './viewer.ts'

export interface ModelViewProps extends Omit<SceneSource, 'needsExact'> {
  /** The unit of the solution; a preview has the same. */
  units: Unit
  selectedIds: ReadonlySet<string>
  /** Nodes whose preview is off. */
  hiddenIds: ReadonlySet<string>
  namePort: NamePort
  /** Called with the nodes of the geometry that was chosen; none for a click on the background. */
  onPick: (nodeInstanceIds: readonly string[]) => void
  /** What objects can be coloured by; left out where they keep their colours. */
  data?: ViewData
  /** Objects that are chosen as if they had been clicked, each time that this is another list. */
  asked?: readonly SceneValue[] | undefined
  /** Shown if no solution has geometry. */
  empty: ReactNode
  /** Takes clicks on the geometry in place of `onPick`. */
  onAnchor?: ((point: Vector3, value: SceneValue | undefined) => void) | undefined
  /** Leads the view to named views. */
  follow?: Follow<ModelPlace> | undefined
  /** Shown over the geometry. */
  overlay?: ((viewer: Viewer) => ReactNode) | undefined
}

/** The 3D view of a solution's geometry. */
export function ModelView(props: ModelViewProps) {
  const {
    documentId,
    solutionId,
    units,
    preview,
    selectedIds,
    hiddenIds,
    namePort,
    onPick,
    data,
    asked,
    empty,
  } = props
  const scheme = useComputedColorScheme('light')
  const canvas = useRef<HTMLCanvasElement>(null)
  const [frame, size] = useResizeObserver<HTMLDivElement>()
  const [viewer, setViewer] = useState<Viewer>()
  const [status, setStatus] = useState<ViewStatus>()
  const [isParallel, setParallel] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [display, setDisplay] = useRemembered('meadow.display', DISPLAY)
  const [tool, setTool] = useState<Tool>()
  const [section, setSection] = useState<Section>()
  const [measurement, setMeasurement] = useState<Measurement>({ of: 'distance', points: [] })
  const [session] = useState(() => openViewSession(documentId))
  const actions = useChoices({ session, selectedIds, previewOff: hiddenIds, onPick })
  const [isUsed, setUsed] = useState(false)
  const needsExact = isUsed || tool !== undefined || actions.choices.picked.length > 0
  const { scene, isExact, isLoading, error, retry } = useScene({
    documentId,
    solutionId,
    needsExact,
    preview,
  })
  const unit = UNIT_SYMBOLS[units]
  const [values, setValues] = useState<SceneValues>()
  const [hovered, setHovered] = useState<SceneValue>()
  const hover = (next: SceneValue | undefined) => setHovered((last) => (isSame(last, next) ? last : next))
  const colouring = useColouring(documentId)
  const choice = data && colouring.choice

  useEffect(() => {
    const created = createViewer(canvas.current!, {
      viewpoint: session.viewpoint,
      onStatus: setStatus,
      onMove: ({ isParallel }) => setParallel(isParallel),
    })
    if (!created) {
      setProblem('This browser cannot draw in three dimensions: WebGL is off.')
      return undefined
    }
    setViewer(created)
    const keepCamera = () => {
      if (!created.wasMoved) return
      session.viewpoint = created.viewpoint
      storeCamera(documentId, created.viewpoint)
    }
    addEventListener('pagehide', keepCamera)
    return () => {
      removeEventListener('pagehide', keepCamera)
      keepCamera()
      created.dispose()
    }
  }, [session, documentId])
  useEffect(() => viewer?.setColours(COLOURS[scheme]), [viewer, scheme])
  useEffect(() => viewer?.setDisplay({ ...DISPLAY, ...display }), [viewer, display])
  useEffect(() => viewer?.choose(actions.choices), [viewer, actions.choices])
  useEffect(() => viewer?.resize(size.width, size.height), [viewer, size.width, size.height])
  useEffect(() => viewer?.setSection(section), [viewer, section])
  useEffect(() => {
    viewer?.show(scene ?? NO_SCENE)
    setValues(viewer?.values)
  }, [viewer, scene])
  const paint = useCallback((next: Paint | undefined) => viewer?.paint(next), [viewer])
  const { pick } = actions
  const lastAsked = useRef(asked)
  useEffect(() => {
    if (asked && asked !== lastAsked.current) pick(asked)
    lastAsked.current = asked
  }, [asked, pick])
  const isMeasuring = tool === 'measure'
  const pointer = usePointer({
    viewer,
    isMeasuring,
    points: measurement.points,
    onPick: actions.pick,
    onHover: choice && !isMeasuring ? hover : undefined,
    onPoint: (point) => isExact && setMeasurement((last) => addPoint(last, point)),
    onAnchor: props.onAnchor,
  })

  const choose = (next: Tool | undefined) => {
    setTool(next)
    setSection(next === 'section' ? placeSection('x', status?.box) : undefined)
    setMeasurement(({ of }) => ({ of, points: [] }))
  }
  useFollowModel({
    ...{ follow: props.follow, viewer, size, actions, section, colouring },
    onSection(next) {
      if (!next && !section) return
      choose(next && 'section')
      setSection(next)
    },
  })
  const look = (view: StandardView) => {
    if (!viewer) return
    viewer.move(lookFrom(viewer.viewpoint, view))
    viewer.fit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!viewer) return
    const act = {
      fit: viewer.fit,
      hide: actions.hide,
      isolate: actions.isolate,
      showAll: actions.showAll,
      section: () => choose(tool === 'section' ? undefined : 'section'),
      colour: () => data && colouring.toggle(),
      measure: () => choose(isMeasuring ? undefined : 'measure'),
    }
    const read = readViewKey(event, viewer.viewpoint, Object.keys(act) as (keyof typeof act)[])
    if (event.key === 'Escape') tool ? choose(undefined) : actions.pick([])
    else if (!read) return
    else if ('moved' in read) viewer.move(read.moved)
    else act[read.name]()
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      ref={frame}
      className={styles.frame}
      onPointerDownCapture={() => setUsed(true)}
      onWheelCapture={() => setUsed(true)}
      onKeyDownCapture={() => setUsed(true)}
    >
      <canvas
        ref={canvas}
        className={styles.canvas}
        data-keys="model"
        tabIndex={0}
        role="img"
        aria-label="The geometry of the solution. Drag or press the arrow keys to orbit, scroll or press + and - to zoom."
        data-visible={status?.visible}
        data-exact={scene && isExact ? '' : undefined}
        data-anchoring={props.onAnchor ? '' : undefined}
        onKeyDown={onKeyDown}
        {...pointer.handlers}
      />
      {viewer && props.overlay?.(viewer)}
      {pointer.rectangle && <div className={styles.rectangle} style={pointer.rectangle} />}
      <div className={styles.tools}>
        <ViewToolbar
          display={{ ...DISPLAY, ...display }}
          onDisplay={setDisplay}
          isParallel={isParallel}
          onParallel={(next) => viewer?.move({ ...viewer.viewpoint, isParallel: next })}
          onView={look}
          onFit={() => viewer?.fit()}
          tool={tool}
          onTool={choose}
          actions={actions}
          colouring={data && { isOn: choice !== undefined, toggle: colouring.toggle }}
        />
      </div>
      <Stack className={styles.panels} gap={6}>
        {section && (
          <SectionPanel
            section={section}
            onChange={setSection}
            box={status?.box}
            unit={unit}
            onClose={() => choose(undefined)}
          />
        )}
        {isMeasuring && (
          <MeasurePanel
            measurement={measurement}
            onChange={setMeasurement}
            unit={unit}
            onClose={() => choose(undefined)}
          />
        )}
        {choice && (
          <LazyColourPanel
            documentId={documentId}
            data={data}
            choice={choice}
            onChoice={colouring.setChoice}
            values={values}
            choices={actions.choices}
            pointed={hovered ?? actions.choices.picked[0]}
            namePort={namePort}
            unit={unit}
            onPaint={paint}
            onSelect={actions.pick}
            onClose={colouring.toggle}
          />
        )}
        {viewer?.values && isExact && !isMeasuring && (
          <ObjectPanel
            values={viewer.values}
            picked={actions.choices.picked}
            namePort={namePort}
            unit={unit}
            onSelectNode={() =>
              onPick([...new Set(actions.choices.picked.map(({ nodeInstanceId }) => nodeInstanceId))])
            }
            onClose={() => actions.pick([])}
          />
        )}
      </Stack>
      <Center className={styles.message}>
        {problem && <Text c="dimmed">{problem}</Text>}
        {!problem && error && <Failure error={error} retry={retry} />}
        {!problem && (isLoading || (isMeasuring && scene && !isExact)) && (
          <Loader aria-label="Loading the geometry" />
        )}
        {!problem && !error && !isLoading && !scene && empty}
        {!problem && scene && status && (
          <ViewMessage status={status} onShowAll={actions.showAll} onFit={() => viewer?.fit()} />
        )}
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

/** Whether two objects are one, or both nothing. */
const isSame = (a: SceneValue | undefined, b: SceneValue | undefined): boolean =>
  a?.nodeInstanceId === b?.nodeInstanceId &&
  a?.portInstanceId === b?.portInstanceId &&
  a?.path === b?.path &&
  a?.index === b?.index

/** The panel for colours, which is loaded when objects are first coloured by data. */
const LazyColourPanel = lazyPart(
  () => import('./colour/colour-panel.tsx'),
  'ColourPanel',
  notLoaded('The colours'),
)

interface ViewMessageProps {
  status: ViewStatus
  onShowAll: () => void
  onFit: () => void
}

/** Says why nothing of the geometry is to be seen, and what to do about it. */
function ViewMessage({ status, onShowAll, onFit }: ViewMessageProps) {
  if (status.values === 0) return null
  if (status.visible === 0)
    return (
      <Stack align="center" gap="xs">
        <Text c="dimmed">All geometry is hidden</Text>
        <Button className={styles.act} size="xs" variant="default" onClick={onShowAll}>
          Show all
        </Button>
      </Stack>
    )
  if (status.isOutOfView)
    return (
      <Button className={styles.act} size="xs" variant="default" onClick={onFit}>
        Nothing is in view: fit
      </Button>
    )
  return null
}
