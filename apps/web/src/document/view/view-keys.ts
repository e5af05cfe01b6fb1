import { orbit, pan, STANDARD_VIEWS, type StandardView, type Viewpoint, zoom } from './camera/framing.ts'

export const VIEW_NAMES: Record<StandardView, string> = {
  perspective: 'Perspective',
  top: 'Top',
  front: 'Front',
  right: 'Right',
  back: 'Back',
  left: 'Left',
  bottom: 'Bottom',
}

/** The keys of the standard views. */
export const VIEW_KEYS: Record<StandardView, string> = {
  perspective: '0',
  top: '1',
  front: '2',
  right: '3',
  back: '4',
  left: '5',
  bottom: '6',
}

/** In radians. */
const STEP = Math.PI / 24
const ZOOM = 1.25

/** The viewpoint after a key; undefined for keys that do not move the camera. */
export function moveByKey(
  viewpoint: Viewpoint,
  { key, shiftKey }: { key: string; shiftKey: boolean },
): Viewpoint | undefined {
  const move = shiftKey ? pan : orbit
  const by = shiftKey ? 0.2 : STEP
  switch (key) {
    case 'ArrowLeft':
      return move(viewpoint, -by, 0)
    case 'ArrowRight':
      return move(viewpoint, by, 0)
    case 'ArrowUp':
      return move(viewpoint, 0, by)
    case 'ArrowDown':
      return move(viewpoint, 0, -by)
    case '+':
    case '=':
      return zoom(viewpoint, ZOOM)
    case '-':
    case '_':
      return zoom(viewpoint, 1 / ZOOM)
    case 'p':
      return { ...viewpoint, isParallel: !viewpoint.isParallel }
    default: {
      const view = Object.entries(VIEW_KEYS).find(([, digit]) => digit === key)?.[0]
      return view ? lookFrom(viewpoint, view as StandardView) : undefined
    }
  }
}

/** Views along an axis are without perspective, as in Rhino. */
export const lookFrom = (viewpoint: Viewpoint, view: StandardView): Viewpoint => ({
  ...viewpoint,
  direction: STANDARD_VIEWS[view].clone(),
  isParallel: view !== 'perspective',
})
