import { type CharacterKey, findCharacterKey } from '../../keys/use-keys.ts'
import { orbit, pan, STANDARD_VIEWS, type StandardView, type Viewpoint, zoom } from './framing.ts'

export const VIEW_NAMES: Record<StandardView, string> = {
  perspective: 'Perspective',
  top: 'Top',
  front: 'Front',
  right: 'Right',
  back: 'Back',
  left: 'Left',
  bottom: 'Bottom',
}

/** The keys that all views of geometry have. */
export const CAMERA_KEYS = [
  'parallel',
  'zoomIn',
  'zoomOut',
  ...(Object.keys(VIEW_NAMES) as StandardView[]),
] as const

/** The angle by which an arrow key turns the camera, in radians. */
const STEP = Math.PI / 24
const ZOOM = 1.25

/** What a key does in a view of geometry: it moves the camera, or is one of the view's own `names`; undefined for others. */
export function readViewKey<Name extends CharacterKey>(
  event: Parameters<typeof findCharacterKey>[0],
  viewpoint: Viewpoint,
  names: readonly Name[],
): { moved: Viewpoint } | { name: Name } | undefined {
  const arrow = !event.ctrlKey && !event.metaKey && !event.altKey && moveByArrow(viewpoint, event)
  if (arrow) return { moved: arrow }
  const name = findCharacterKey(event, names)
  if (name) return { name }
  const key = findCharacterKey(event, CAMERA_KEYS)
  return key && { moved: moveByKey(viewpoint, key) }
}

/** The viewpoint after an arrow key; undefined for other keys. */
export function moveByArrow(
  viewpoint: Viewpoint,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
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
    default:
      return undefined
  }
}

/** The viewpoint after a shortcut of one character. */
export function moveByKey(viewpoint: Viewpoint, key: (typeof CAMERA_KEYS)[number]): Viewpoint {
  switch (key) {
    case 'zoomIn':
      return zoom(viewpoint, ZOOM)
    case 'zoomOut':
      return zoom(viewpoint, 1 / ZOOM)
    case 'parallel':
      return { ...viewpoint, isParallel: !viewpoint.isParallel }
    default:
      return lookFrom(viewpoint, key)
  }
}

/** Returns a standard view. Views along an axis are without perspective, as in Rhino. */
export const lookFrom = (viewpoint: Viewpoint, view: StandardView): Viewpoint => ({
  ...viewpoint,
  direction: STANDARD_VIEWS[view].clone(),
  isParallel: view !== 'perspective',
})
