import { isDeepStrictEqual } from 'node:util'
import type { Chunk, Item, Rectangle, Xy } from '../archive/tree/archive.ts'
import { findPivot, fromRelative, toRelative } from '../text/objects.ts'

/** A place that is written relative to the object while it is merged. */
type Place = Item & { type: 'drawing_pointf' | 'drawing_rectanglef'; isRelative?: true }

const isPlace = (item: Item): item is Place =>
  item.type === 'drawing_pointf' || item.type === 'drawing_rectanglef'

/**
 * A copy of an object in which places are relative to its Pivot, so that moving it changes the Pivot alone. Values are
 * not copied.
 */
export function toMovable(object: Chunk): Chunk {
  const pivot = findPivot(object)
  return pivot ? mapPlaces(object, (place) => detach(place, pivot)) : object
}

function detach(place: Place, pivot: Xy): Place {
  const moved = place.value === pivot ? undefined : toRelative<Xy | Rectangle>(place.value, pivot)
  return moved ? ({ ...place, value: moved, isRelative: true } as Place) : place
}

/** Converts the result of `toMovable` back, with places around the Pivot that it has now. */
export function toPlaced(movable: Chunk): Chunk {
  const pivot = findPivot(movable)
  return mapPlaces(movable, ({ isRelative, ...place }) =>
    isRelative && pivot
      ? ({ ...place, value: fromRelative<Xy | Rectangle>(place.value, pivot) } as Place)
      : (place as Place),
  )
}

function mapPlaces(chunk: Chunk, change: (place: Place) => Place): Chunk {
  const items =
    chunk.name === 'Attributes'
      ? chunk.items.map((item) => (isPlace(item) ? change(item) : item))
      : chunk.items
  return { ...chunk, items, chunks: chunk.chunks.map((child) => mapPlaces(child, change)) }
}

/** Whether two objects differ in nothing but their place on the canvas. */
export const isSameButPlace = (a: Chunk, b: Chunk): boolean =>
  isDeepStrictEqual(withoutPlaces(a), withoutPlaces(b))

function withoutPlaces(chunk: Chunk): Chunk {
  const isKept = (child: Chunk) => child.name !== 'Attributes'
  return { ...chunk, index: -1, chunks: chunk.chunks.filter(isKept).map(withoutPlaces) }
}
