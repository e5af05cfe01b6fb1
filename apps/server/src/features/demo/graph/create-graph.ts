import type { GraphContent } from '@meadow/contract'
import { type Canvas, createCanvas } from './canvas.ts'
import { createDrawing } from './drawing.ts'

/**
 * Draws a graph. The same name and drawing give the same graph, with the same ids.
 * Throws when a component, a port or a literal is not in the catalogue.
 */
export function createGraph(name: string, draw: (canvas: Canvas) => void): GraphContent {
  const drawing = createDrawing(name)
  draw(createCanvas(drawing))
  return drawing.finish()
}
