import type { PortReference } from '@meadow/contract'
import {
  type CanvasObject,
  type ComponentKind,
  isOfferedVersion,
  type LibraryPort,
  listCanvasObjects,
  listComponents,
  listParameterTypes,
  type NodeState,
  type ParameterType,
} from '@meadow/document'
import { createComponentNode, createParameterNode, type PortPlan } from './create-nodes.ts'
import type { Drawing, Drawn, GroupColour } from './drawing.ts'
import { type Input, integer, toFeed } from './feed.ts'
import { createPanelState, createSliderState, createValueListState, type SliderRange } from './states.ts'

/** Inputs in the order of the ports, or by name or nickname. */
type Inputs = readonly Input[] | Readonly<Record<string, Input>>

interface Script {
  source: string
  /** By the name of the variable. */
  inputs: Readonly<Record<string, Input>>
  /** The inputs with list access. */
  lists: readonly string[]
  outputs: readonly string[]
}

/**
 * Draws the graph of a definition. The id of a node is derived from its nickname; equal nicknames are numbered. Inputs
 * are outputs of nodes that were drawn before.
 */
export interface Canvas {
  /** Begins a group: nodes that are drawn from now on belong to it. */
  group(label: string, colour: GroupColour): void
  /** A panel with an explanation, above the nodes of its group. */
  note(text: string): void
  slider(nickName: string, value: number, range: SliderRange): Drawn
  toggle(nickName: string, value: boolean): Drawn
  /** A drop-down list: choices by name, and the name of the chosen one. */
  valueList(nickName: string, choices: Readonly<Record<string, number>>, chosen: string): Drawn
  /** A panel whose lines are values. */
  text(nickName: string, lines: string): Drawn
  /** A floating parameter of a type such as `Point`. */
  parameter(typeName: string, nickName: string, input: Input): Drawn
  /** A component by its name in the catalogue, `Vector/Rotate` where two share a name. */
  add(component: string, inputs: Inputs, nickName?: string): Drawn
  /** The Expression component; the variables become its inputs. */
  expression(text: string, variables: Readonly<Record<string, Input>>, nickName: string): Drawn
  merge(inputs: readonly Input[], nickName: string): Drawn
  /** A C# script of Rhino 8. */
  script(nickName: string, script: Script): Drawn
  /** A panel that shows a result. */
  panel(nickName: string, source: PortReference): void
  /** Shows geometry in a colour, `#rrggbbaa`. */
  paint(nickName: string, colour: string, geometry: Input): void
  /** Pins the most important inputs and results. */
  pin(inputs: PortReference[], outputs: PortReference[]): void
}

/** C# Script of Rhino 8. */
const SCRIPT = { guid: 'b6ba1144-02d6-4a2d-b53c-ec62e290eeb7', name: 'C# Script' }
/** The output with what a script prints. */
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
    const basics = { id: drawing.createId(nickName || name), kind, nickName, ...(state && { state }) }
    return createParameterNode(basics, kind.parameter, toFeed(input))
  }
  const addBox = (...box: Parameters<typeof createBox>) => drawing.addNode(createBox(...box))

  const addComponent = (
    kind: { guid: string; name: string },
    nickName: string,
    inputs: readonly PortPlan[],
    outputs: readonly PortPlan['port'][],
    state?: NodeState,
  ) => {
    const basics = { id: drawing.createId(nickName), kind, nickName, ...(state && { state }) }
    return drawing.addNode(createComponentNode(basics, inputs, outputs))
  }

  const add: Canvas['add'] = (component, inputs, nickName) => {
    const kind = getComponent(component)
    return addComponent(
      kind,
      nickName ?? kind.nickName,
      matchPorts(kind.inputs, inputs, component),
      kind.outputs,
    )
  }

  return {
    group: drawing.openGroup,
    note: (text) => drawing.addNote(createBox('Panel', '', text, createPanelState(text, 'note'))),
    slider: (nickName, value, range) => {
      const state = createSliderState(range)
      const literal = state.interval === 'real' ? value : integer(value)
      return addBox('Number Slider', nickName, literal, state)
    },
    toggle: (nickName, value) => addBox('Boolean Toggle', nickName, value),
    valueList: (nickName, choices, chosen) => {
      const value = choices[chosen]
      if (value === undefined) throw new Error(`${nickName} has no choice "${chosen}".`)
      return addBox('Value List', nickName, value, createValueListState(choices, chosen))
    },
    text: (nickName, lines) => {
      const values = lines === '' ? [] : lines.split('\n')
      return addBox('Panel', nickName, values, createPanelState(lines, 'data'))
    },
    panel: (nickName, source) => {
      addBox('Panel', nickName, source, createPanelState('', 'result'))
    },
    parameter: (typeName, nickName, input) => {
      const kind = getParameterType(typeName)
      const sides = { typeName, hasInput: true, hasOutput: true }
      const basics = { id: drawing.createId(nickName), kind, nickName }
      const node = createParameterNode(basics, sides, toFeed(input))
      return drawing.addNode({ ...node, status: { isEnabled: true, isPreviewed: false } })
    },
    add,
    expression: (text, variables, nickName) => {
      const kind = getComponent('Expression')
      const inputs = listVariables(variables, ([name]) => ({
        ...getFirst(kind.inputs),
        name: `Variable ${name}`,
        nickName: name,
      }))
      return addComponent(kind, nickName, inputs, kind.outputs, { kind: 'expression', expression: text })
    },
    merge: (inputs, nickName) => {
      const kind = getComponent('Merge')
      const plans = inputs.map((input, index) => ({
        port: { ...getFirst(kind.inputs), name: `Data ${index + 1}`, nickName: `D${index + 1}` },
        input,
      }))
      return addComponent(kind, nickName, plans, kind.outputs)
    },
    script: (nickName, { source, inputs, lists, outputs }) => {
      const plans = listVariables(inputs, ([variable]) =>
        createVariable(variable, lists.includes(variable) ? 'list' : 'item'),
      )
      const results = [STANDARD_OUTPUT, ...outputs.map((variable) => createVariable(variable, 'item'))]
      return addComponent(SCRIPT, nickName, plans, results, {
        kind: 'script',
        language: 'csharp',
        languageSpec: '*.*.csharp *.*',
        source,
      })
    },
    paint: (nickName, colour, geometry) => {
      const swatch = addBox('Colour Swatch', nickName, { type: 'colour', value: colour })
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

/** Assigns inputs to ports. Throws for an input without a port. */
function matchPorts(ports: readonly LibraryPort[], inputs: Inputs, owner: string): PortPlan[] {
  const plans: PortPlan[] = ports.map((port) => ({ port }))
  for (const [key, input] of Object.entries(inputs)) {
    const plan = Array.isArray(inputs)
      ? plans[Number(key)]
      : (plans.find(({ port }) => port.name === key) ?? plans.find(({ port }) => port.nickName === key))
    if (!plan) throw new Error(`${owner} has no input "${key}".`)
    plan.input = input
  }
  return plans
}

/** The component of this name, in its newest version; `Vector/Rotate` where two categories share a name. */
function getComponent(name: string): ComponentKind {
  const current = listComponents().filter(isOfferedVersion)
  return getOnly(current, name, ({ category, ...kind }) => [kind.name, `${category}/${kind.name}`])
}

function getCanvasObject(name: string): CanvasObject {
  return getOnly(listCanvasObjects(), name, (kind) => [kind.name])
}

function getParameterType(name: string): ParameterType {
  return getOnly(listParameterTypes(), name, (kind) => [kind.name])
}

function getOnly<T>(kinds: readonly T[], name: string, namesOf: (kind: T) => string[]): T {
  const [found, ...others] = kinds.filter((kind) => namesOf(kind).includes(name))
  if (!found || others.length > 0) throw new Error(`The catalogue has ${found ? 'several' : 'no'} "${name}".`)
  return found
}
