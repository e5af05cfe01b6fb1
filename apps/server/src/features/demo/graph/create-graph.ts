import type { GraphContent } from '@meadow/contract'
import type { Canvas } from './canvas.ts'
import { createCanvas } from './create-canvas.ts'
import { createDrawing } from './drawing.ts'

/**
 * Draws a graph. The same name and the same drawing give the same graph, ids and all.
 * Throws where a component, a port or a typed-in value is none.
 */
export function createGraph(name: string, draw: (canvas: Canvas) => void): GraphContent {
  const drawing = createDrawing(name)
  draw(createCanvas(drawing))
  return drawing.finish()
}
