import type { DrawnModel } from './draw-model.ts'
import { listDrawn } from './frame.ts'

/** The counts of a file's content. */
export interface ModelCounts {
  /** The number of values that are drawn. */
  values: number
  triangles: number
  lines: number
  points: number
}

export function countModel({ nodes }: Pick<DrawnModel, 'nodes'>): ModelCounts {
  const counts = { values: 0, triangles: 0, lines: 0, points: 0 }
  for (const { shape } of listDrawn(nodes)) {
    counts.values++
    counts.triangles += shape.triangles.length / 3
    counts.lines += shape.lines.length
    counts.points += shape.points.length
  }
  return counts
}
