import type { Colours, Display } from './drawing/model-drawing.ts'

export const COLOURS: Record<'light' | 'dark', Colours> = {
  light: {
    background: '#f4f5f4',
    body: '#c9d3cc',
    line: '#2b332e',
    selected: '#1f9d3f',
    picked: '#12c24a',
    cap: '#8fa398',
    mark: '#c2255c',
  },
  dark: {
    background: '#1b1e1c',
    body: '#7f8b84',
    line: '#dfe6e1',
    selected: '#35b85c',
    picked: '#4be073',
    cap: '#59655e',
    mark: '#ff6b9d',
  },
}

/** What is drawn at first. */
export const DISPLAY: Display = { isShaded: true, edges: true, isocurves: true, meshEdges: true }
