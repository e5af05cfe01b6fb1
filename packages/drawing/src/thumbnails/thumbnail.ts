import type { GraphContent } from '@meadow/contract'
import { drawGraph } from './draw-graph.ts'
import { drawShapes } from './draw-shapes.ts'
import { type Drawable, listShapes, type ShapeOptions } from './listed-shapes.ts'
import { writePng } from './write-png.ts'

/** The size of pictures in pixels, twice that of cards, for screens with two pixels for each. */
const SIZE = { width: 480, height: 360 }

/** A picture of a document, for lists. */
export interface Thumbnail {
  /** A PNG of 480 by 360 pixels with a transparent background, in colours that are visible on light and on dark. */
  png: Uint8Array
  kind: 'geometry' | 'graph'
  /** Whether geometry was left out because drawing it would have taken too long. */
  isPartial: boolean
}

export interface ThumbnailOptions {
  /** The content of the document, which says which nodes are hidden, and which is drawn where there is no geometry. */
  content: GraphContent
  /**
   * The processor time for listing the shapes, in milliseconds. Drawing them may take half as much again where
   * everything must be shown; encoding the picture adds to both.
   */
  budgetMs: number
}

/**
 * Draws a picture of everything that is visible. Resolves with undefined when nothing is, and when it would take too
 * long.
 */
export async function drawWholeThumbnail(
  drawables: Iterable<Drawable>,
  options: ThumbnailOptions,
): Promise<Thumbnail | undefined> {
  const shapeOptions = toShapeOptions(options)
  const { shapes, isPartial } = await listShapes(drawables, shapeOptions)
  const bytes = isPartial ? undefined : drawShapes(shapes, SIZE, () => shapeOptions.isLate(DRAWN))
  return bytes && { png: toPng(bytes), kind: 'geometry', isPartial }
}

/** The share of the time for listing after which the shapes must be both listed and drawn. */
const DRAWN = 1.5

/** Draws a picture of what is visible, or of the graph if nothing is. When the time is up, the picture is partial. */
export async function drawThumbnail(
  drawables: Iterable<Drawable>,
  options: ThumbnailOptions,
): Promise<Thumbnail> {
  const { shapes, isPartial } = await listShapes(drawables, toShapeOptions(options))
  const bytes = drawShapes(shapes, SIZE)
  return bytes ? { png: toPng(bytes), kind: 'geometry', isPartial } : drawGraphThumbnail(options.content)
}

export const drawGraphThumbnail = (content: GraphContent): Thumbnail => ({
  png: toPng(drawGraph(content, SIZE)),
  kind: 'graph',
  isPartial: false,
})

const toShapeOptions = ({ content, budgetMs }: ThumbnailOptions): ShapeOptions => ({
  isHidden: (nodeInstanceId) => content.nodes[nodeInstanceId]?.status.isPreviewed === false,
  isLate: createDeadline(budgetMs),
})

const toPng = (bytes: Uint8Array): Uint8Array => writePng({ ...SIZE, channels: 4, bytes })

/** The time in milliseconds after which the processor time is read again. Reading the clock takes less time. */
const LOOK_AGAIN_MS = 1

/**
 * Creates a function that returns whether this process has worked for a share of the time since now. Time in which
 * other processes ran does not count.
 */
function createDeadline(budgetMs: number): (share: number) => boolean {
  const start = process.cpuUsage()
  let lookedAt = performance.now()
  let usedMs = 0
  return (share) => {
    const now = performance.now()
    if (now - lookedAt >= LOOK_AGAIN_MS) {
      lookedAt = now
      const { user, system } = process.cpuUsage(start)
      usedMs = (user + system) / 1000
    }
    return usedMs > share * budgetMs
  }
}
