import type { DataValue } from '@meadow/contract'
import { findScript } from '../../catalogue/catalogue.ts'
import type { NodeState } from '../../node-state.ts'
import { KINDS } from './kinds.ts'

interface Birth {
  state?: NodeState
  /** What is chosen on it at first. */
  values: DataValue[]
}

const SLIDER_SIZE = { width: 200, height: 20 }

const BIRTHS: ReadonlyMap<string, Birth> = new Map<string, Birth>([
  [
    KINDS.slider,
    {
      state: { kind: 'slider', minimum: 0, maximum: 1, decimals: 3, interval: 'real', size: SLIDER_SIZE },
      values: [{ type: 'number', value: 0.25 }],
    },
  ],
  [
    KINDS.panel,
    {
      state: {
        kind: 'panel',
        text: '',
        isMultiline: true,
        colour: '#fffa5aff',
        alignment: 'left',
        wraps: true,
        drawsIndices: true,
        drawsPaths: true,
        size: { width: 160, height: 100 },
      },
      values: [],
    },
  ],
  [KINDS.toggle, { values: [{ type: 'boolean', value: false }] }],
  [
    KINDS.button,
    {
      state: { kind: 'button', normal: 'False', pressed: 'True' },
      values: [{ type: 'boolean', value: false }],
    },
  ],
  [
    KINDS.valueList,
    {
      state: {
        kind: 'valueList',
        mode: 'dropDown',
        items: ['One', 'Two', 'Three', 'Four'].map((name, place) => ({
          name,
          expression: String(place + 1),
          isSelected: place === 0,
        })),
      },
      values: [{ type: 'integer', value: 1 }],
    },
  ],
  [KINDS.swatch, { values: [{ type: 'colour', value: '#ffffffff' }] }],
  [
    KINDS.mdSlider,
    {
      state: {
        kind: 'mdSlider',
        x: { start: 0, end: 1 },
        y: { start: 0, end: 1 },
        z: { start: 0, end: 1 },
        size: { width: 200, height: 200 },
      },
      values: [{ type: 'point', value: [0.5, 0.5, 0] }],
    },
  ],
  [
    KINDS.knob,
    {
      state: { kind: 'knob', minimum: 0, maximum: 10, decimals: 3, range: 10, isLimited: false },
      values: [{ type: 'number', value: 0 }],
    },
  ],
  [KINDS.expression, { state: { kind: 'expression', expression: '' }, values: [] }],
])

/** What a kind of node keeps and holds when it is new. */
export function findBirth(guid: string): Birth {
  const script = findScript(guid)
  if (script) {
    return { state: { kind: 'script', language: script.language ?? 'unknown', source: '' }, values: [] }
  }
  return BIRTHS.get(guid) ?? { values: [] }
}
