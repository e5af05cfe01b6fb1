import type { PanelState, SliderState, ValueListState } from '@meadow/document'

export interface SliderRange {
  from: number
  to: number
  /** Decimal places; 0, the default, gives whole numbers. */
  decimals?: number
  interval?: SliderState['interval']
}

export function createSliderState({ from, to, decimals = 0, interval }: SliderRange): SliderState {
  return {
    kind: 'slider',
    minimum: from,
    maximum: to,
    decimals,
    interval: interval ?? (decimals === 0 ? 'integer' : 'real'),
    size: { width: 200, height: 20 },
  }
}

const PANEL_COLOURS = { note: '#f4efe2ff', data: '#fffa5aff', result: '#d7efe9ff' }
const LINE_HEIGHT = 16
const CHARACTER_WIDTH = 6.5

/** A panel for one of three uses: a note, a list with a value per line, or the display of a result. */
export function createPanelState(text: string, use: keyof typeof PANEL_COLOURS): PanelState {
  const lines = text.split('\n')
  const longest = Math.max(...lines.map((line) => line.length))
  return {
    kind: 'panel',
    text,
    isMultiline: use === 'note',
    colour: PANEL_COLOURS[use],
    alignment: 'left',
    wraps: true,
    drawsIndices: false,
    drawsPaths: false,
    size: {
      width: Math.max(180, Math.ceil(longest * CHARACTER_WIDTH) + 24),
      height: Math.min(300, 24 + LINE_HEIGHT * Math.max(lines.length, 2)),
    },
  }
}

/** A drop-down list of numbers. */
export function createValueListState(
  choices: Readonly<Record<string, number>>,
  chosen: string,
): ValueListState {
  return {
    kind: 'valueList',
    mode: 'dropDown',
    items: Object.entries(choices).map(([name, value]) => ({
      name,
      expression: String(value),
      isSelected: name === chosen,
    })),
  }
}
