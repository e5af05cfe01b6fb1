import type { Chunk, Item } from '../../../archive/archive.ts'
import { createChunk, createItem } from '../../../archive/create.ts'

/** What new inputs keep in their Container: sliders, panels, value lists, inputs for callers. */

type Parts = (Item | Chunk)[]

/** What stands for no limit. */
export const NO_LIMIT = 2147483647

export function listSlider(): Parts {
  return [
    createChunk('Slider', [
      createItem('int32', 'Digits', 3),
      createItem('int32', 'GripDisplay', 1),
      createItem('int32', 'Interval', 0),
      createItem('double', 'Max', 1),
      createItem('double', 'Min', 0),
      createItem('int32', 'SnapCount', 0),
      createItem('double', 'Value', 0),
    ]),
  ]
}

export function listMdSlider(): Parts {
  const unit = { a: 0, b: 1 }
  return [
    createItem('int32', 'SliderMode', 1),
    createItem('point3d', 'slider_value', { x: 0, y: 0, z: 0 }),
    ...['x_domain', 'y_domain', 'z_domain'].map((name) => createItem('interval1d', name, unit)),
  ]
}

export function listKnob(): Parts {
  return [
    createChunk('DialData', [
      createItem('int32', 'Decimals', 3),
      createItem('bool', 'Limit', false),
      ...decimals({ Maximum: '1', Minimum: '0', Range: '1', Value: '0' }),
    ]),
  ]
}

export function listGenePool(): Parts {
  return [
    createChunk('GeneData', [
      createItem('int32', 'Count', 0),
      createItem('int32', 'Decimals', 2),
      ...decimals({ Maximum: '100', Minimum: '0' }),
    ]),
  ]
}

function decimals(values: Record<string, string>): Item[] {
  return Object.entries(values).map(([name, value]) => createItem('decimal', name, value))
}

export function listPanel(): Parts {
  return [
    createItem('double', 'ScrollRatio', 0),
    createItem('string', 'UserText', ''),
    createChunk('PanelProperties', [
      createItem('drawing_color', 'Colour', 0xfffffa5a),
      createItem('bool', 'DrawIndices', true),
      createItem('bool', 'DrawPaths', true),
      createItem('bool', 'Multiline', true),
      createItem('bool', 'SpecialCodes', false),
      createItem('bool', 'Stream', false),
      createItem('bool', 'Wrap', true),
    ]),
  ]
}

export function listValueList(): Parts {
  return [createItem('int32', 'ListCount', 0), createItem('int32', 'ListMode', 1)]
}

export function listContextual(): Parts {
  return [
    createItem('int32', 'AtLeast', 1),
    createItem('int32', 'AtMost', NO_LIMIT),
    createItem('string', 'Prompt', ''),
  ]
}

export function listLimits(type: 'double' | 'int32', maximum: number, minimum: number): Item[] {
  return [createItem(type, 'Maximum', maximum), createItem(type, 'Minimum', minimum)]
}
