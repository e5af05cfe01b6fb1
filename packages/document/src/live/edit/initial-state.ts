import type { DataValue } from '@meadow/contract'
import { findScript } from '../../component-library/component-library.ts'
import type { NodeState } from '../../graph/node-state.ts'

/** The GUIDs of the classes of nodes that start with a state of their own, or have their own operations. */
export const NODE_CLASSES = {
  slider: '57da07bd-ecab-415d-9d86-af36d7073abc',
  panel: '59e0b89a-e487-49f8-bab8-b5bab16be14c',
  toggle: '2e78987b-9dfb-42a2-8b76-3923ac8bd91a',
  button: 'a8b97322-2d53-47cd-905e-b932c3ccd74e',
  valueList: '00027467-0d24-4fa7-b178-8dc0ac5f42ec',
  swatch: '9c53bac0-ba66-40bd-8154-ce9829b9db1a',
  mdSlider: '318dacd7-9073-4ede-b043-a0c132eb77e0',
  knob: 'bcac2747-348b-4edd-ae1f-77a782cebbdd',
  wheel: '51a2ede9-8f8c-4fdf-a375-999c2062eab7',
  picker: '339c0ee1-cf11-444f-8e10-65c9150ea755',
  scroller: '33bcf975-a0b2-4b54-99fd-585c893b9e88',
  genePool: '21553c44-ea62-475e-a8bb-62b2a3ee5ca5',
  graphMapper: 'bc984576-7aa6-491f-a91d-e444c33675a7',
  expression: '9df5e896-552d-4c8c-b9ca-4fc147ffa022',
  gradient: '6da9f120-3ad0-4b6e-9fe0-f8cde3a649b7',
} as const

interface InitialState {
  state?: NodeState
  /** The values chosen on the node itself. */
  values: DataValue[]
}

/** The state and values of a new node of a class. */
export function findInitialState(guid: string): InitialState {
  const script = findScript(guid)
  if (script) {
    return { state: { kind: 'script', language: script.language ?? 'unknown', source: '' }, values: [] }
  }
  return INITIAL_STATES.get(guid) ?? { values: [] }
}

const SLIDER_SIZE = { width: 200, height: 20 }
const UNIT = { start: 0, end: 1 }
const WHITE: DataValue = { type: 'colour', value: '#ffffffff' }
const GENES: readonly DataValue[] = Array.from({ length: 10 }, () => ({ type: 'number', value: 50 }))

const INITIAL_STATES: ReadonlyMap<string, InitialState> = new Map<string, InitialState>([
  [
    NODE_CLASSES.slider,
    {
      state: { kind: 'slider', minimum: 0, maximum: 1, decimals: 3, interval: 'real', size: SLIDER_SIZE },
      values: [{ type: 'number', value: 0.25 }],
    },
  ],
  [
    NODE_CLASSES.panel,
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
  [NODE_CLASSES.toggle, { values: [{ type: 'boolean', value: false }] }],
  [
    NODE_CLASSES.button,
    {
      state: { kind: 'button', normal: 'False', pressed: 'True' },
      values: [{ type: 'boolean', value: false }],
    },
  ],
  [
    NODE_CLASSES.valueList,
    {
      state: {
        kind: 'valueList',
        mode: 'dropDown',
        items: ['One', 'Two', 'Three', 'Four'].map((name, index) => ({
          name,
          expression: String(index + 1),
          isSelected: index === 0,
        })),
      },
      values: [{ type: 'integer', value: 1 }],
    },
  ],
  [NODE_CLASSES.swatch, { values: [WHITE] }],
  [NODE_CLASSES.wheel, { values: [WHITE] }],
  [NODE_CLASSES.picker, { values: [WHITE] }],
  [NODE_CLASSES.scroller, { values: [{ type: 'number', value: 0 }] }],
  [
    NODE_CLASSES.genePool,
    { state: { kind: 'genePool', minimum: 0, maximum: 100, decimals: 2 }, values: [...GENES] },
  ],
  [
    NODE_CLASSES.graphMapper,
    {
      state: {
        kind: 'graphMapper',
        graph: 'Bezier',
        points: [
          [0, 0],
          [0.5, 0],
          [0.5, 1],
          [1, 1],
        ],
        x: UNIT,
        y: UNIT,
        size: { width: 150, height: 150 },
      },
      values: [],
    },
  ],
  [
    NODE_CLASSES.mdSlider,
    {
      state: {
        kind: 'mdSlider',
        x: UNIT,
        y: UNIT,
        z: UNIT,
        size: { width: 200, height: 200 },
      },
      values: [{ type: 'point', value: [0.5, 0.5, 0] }],
    },
  ],
  [
    NODE_CLASSES.knob,
    {
      state: { kind: 'knob', minimum: 0, maximum: 10, decimals: 3, range: 10, isLimited: false },
      values: [{ type: 'number', value: 0 }],
    },
  ],
  [NODE_CLASSES.expression, { state: { kind: 'expression', expression: 'x + y' }, values: [] }],
  [
    NODE_CLASSES.gradient,
    {
      state: {
        kind: 'gradient',
        isLinear: false,
        grips: ['#008000ff', '#ffff00ff', '#ff0000ff'].map((colour, index) => ({
          position: index / 2,
          left: colour,
          right: colour,
        })),
      },
      values: [],
    },
  ],
])
