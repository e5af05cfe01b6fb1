import type { NodeState } from '@meadow/document'
import type { Canvas } from './canvas.ts'
import { createComponentNode, createParameterNode, type PortPlan } from './create-nodes.ts'
import type { Drawing } from './drawing.ts'
import { type Input, integer, toFeed } from './feed.ts'
import { getCanvasObject, getComponent, getParameterType } from './find-kind.ts'
import { matchPorts } from './match-ports.ts'
import { createPanelState, createSliderState, createValueListState } from './states.ts'

/** C# Script of Rhino 8. */
const SCRIPT = { guid: 'b6ba1144-02d6-4a2d-b53c-ec62e290eeb7', name: 'C# Script' }
/** What a script prints. */
const STANDARD_OUTPUT = {
  name: 'out',
  nickName: 'out',
  typeName: 'Text',
  access: 'item',
  isOptional: false,
} as const

export function createCanvas(drawing: Drawing): Canvas {
  const createBox = (name: string, nickName: string, input: Input, state?: NodeState) => {
    const kind = getCanvasObject(name)
    if (!kind.parameter) throw new Error(`${name} is not one parameter.`)
    const basics = { id: drawing.nextId(nickName || name), kind, nickName, ...(state && { state }) }
    return createParameterNode(basics, kind.parameter, toFeed(input))
  }
  const placeBox = (...box: Parameters<typeof createBox>) => drawing.place(createBox(...box))

  const placeComponent = (
    kind: { guid: string; name: string },
    nickName: string,
    inputs: readonly PortPlan[],
    outputs: readonly PortPlan['port'][],
    state?: NodeState,
  ) => {
    const basics = { id: drawing.nextId(nickName), kind, nickName, ...(state && { state }) }
    return drawing.place(createComponentNode(basics, inputs, outputs))
  }

  const add: Canvas['add'] = (component, inputs, nickName) => {
    const kind = getComponent(component)
    return placeComponent(
      kind,
      nickName ?? kind.nickName,
      matchPorts(kind.inputs, inputs, component),
      kind.outputs,
    )
  }

  return {
    group: drawing.openGroup,
    note: (text) => drawing.placeNote(createBox('Panel', '', text, createPanelState(text, 'note'))),
    slider: (nickName, value, range) => {
      const state = createSliderState(range)
      const literal = state.interval === 'real' ? value : integer(value)
      return placeBox('Number Slider', nickName, literal, state)
    },
    toggle: (nickName, value) => placeBox('Boolean Toggle', nickName, value),
    valueList: (nickName, choices, chosen) => {
      const value = choices[chosen]
      if (value === undefined) throw new Error(`${nickName} has no choice "${chosen}".`)
      return placeBox('Value List', nickName, value, createValueListState(choices, chosen))
    },
    text: (nickName, lines) => {
      const values = lines === '' ? [] : lines.split('\n')
      return placeBox('Panel', nickName, values, createPanelState(lines, 'data'))
    },
    panel: (nickName, source) => {
      placeBox('Panel', nickName, source, createPanelState('', 'result'))
    },
    parameter: (typeName, nickName, input) => {
      const kind = getParameterType(typeName)
      const sides = { typeName, hasInput: true, hasOutput: true }
      const basics = { id: drawing.nextId(nickName), kind, nickName }
      const node = createParameterNode(basics, sides, toFeed(input))
      return drawing.place({ ...node, status: { isEnabled: true, isPreviewed: false } })
    },
    add,
    expression: (text, variables, nickName) => {
      const kind = getComponent('Expression')
      const inputs = listVariables(variables, ([name]) => ({
        ...getFirst(kind.inputs),
        name: `Variable ${name}`,
        nickName: name,
      }))
      return placeComponent(kind, nickName, inputs, kind.outputs, { kind: 'expression', expression: text })
    },
    merge: (inputs, nickName) => {
      const kind = getComponent('Merge')
      const plans = inputs.map((input, index) => ({
        port: { ...getFirst(kind.inputs), name: `Data ${index + 1}`, nickName: `D${index + 1}` },
        input,
      }))
      return placeComponent(kind, nickName, plans, kind.outputs)
    },
    script: (nickName, { source, inputs, lists, outputs }) => {
      const plans = listVariables(inputs, ([variable]) =>
        createVariable(variable, lists.includes(variable) ? 'list' : 'item'),
      )
      const results = [STANDARD_OUTPUT, ...outputs.map((variable) => createVariable(variable, 'item'))]
      return placeComponent(SCRIPT, nickName, plans, results, {
        kind: 'script',
        language: 'csharp',
        languageSpec: '*.*.csharp *.*',
        source,
      })
    },
    paint: (nickName, colour, geometry) => {
      const swatch = placeBox('Colour Swatch', nickName, { type: 'colour', value: colour })
      add('Custom Preview', { Geometry: geometry, Material: swatch }, `Show ${nickName}`)
    },
    pin: (inputs, outputs) => {
      drawing.pin({ inputs: [...toFeed(inputs).wires], outputs: [...toFeed(outputs).wires] })
    },
  }
}

function listVariables(
  inputs: Readonly<Record<string, Input>>,
  toPort: (entry: [name: string, input: Input]) => PortPlan['port'],
): PortPlan[] {
  return Object.entries(inputs).map((entry) => ({ port: toPort(entry), input: entry[1] }))
}

function createVariable(name: string, access: 'item' | 'list'): PortPlan['port'] {
  return { name, nickName: name, typeName: 'Script Parameter', access, isOptional: true }
}

function getFirst<T>(items: readonly T[]): T {
  const [first] = items
  if (!first) throw new Error('The catalogue has no ports for a component with variable ports.')
  return first
}
