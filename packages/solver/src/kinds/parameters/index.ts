import { listParameterTypes } from '@meadow/document'
import type { Value } from '@meadow/geometry/values/value'
import { getPortType, type PortType } from '../../conversions/port-types.ts'
import { evaluateConstant } from '../../expressions/evaluate-constant.ts'
import { mapValues, type Tree } from '../../tree/tree.ts'
import {
  type AnyKind,
  defineKind,
  defineParameter,
  type Kind,
  type ParameterKind,
  type RunContext,
} from '../declaration/define-kind.ts'
import { tree } from '../declaration/ports.ts'
import { PARAMETERS_WITH_SETTINGS } from './settings.ts'

/** Parameters whose data comes from a model or another document. */
const NOT_OURS: ReadonlySet<string> = new Set(['Receiver', 'Script Parameter', 'Script Variable'])

function typed(guid: string, type: PortType, description: string): ParameterKind {
  return defineParameter({ guid, type, description })
}

/** The floating parameters, one for each port type. */
const FLOATING_PARAMETERS: readonly ParameterKind[] = listParameterTypes()
  .filter(({ name }) => !NOT_OURS.has(name))
  .map(({ guid, name }) => typed(guid, getPortType(name), `Holds or passes on values of type ${name}.`))

/**
 * Input objects: the document stores their settings as literals of the single port, so they only pass them on.
 */
const INPUT_OBJECTS: readonly ParameterKind[] = [
  typed('57da07bd-ecab-415d-9d86-af36d7073abc', 'any', 'A number slider: its current number.'),
  typed('2e78987b-9dfb-42a2-8b76-3923ac8bd91a', 'boolean', 'A boolean toggle: true or false.'),
  {
    ...typed('a8b97322-2d53-47cd-905e-b932c3ccd74e', 'any', 'A button. In Meadow it is never pressed.'),
    prepare: evaluateExpressions,
  },
  {
    ...typed(
      '00027467-0d24-4fa7-b178-8dc0ac5f42ec',
      'any',
      'A list to choose from: gives the values of the chosen items.',
    ),
    prepare: evaluateExpressions,
  },
  typed('9c53bac0-ba66-40bd-8154-ce9829b9db1a', 'colour', 'A colour that is chosen on the node.'),
  typed('51a2ede9-8f8c-4fdf-a375-999c2062eab7', 'colour', 'A colour that is chosen on a wheel.'),
  typed('339c0ee1-cf11-444f-8e10-65c9150ea755', 'colour', 'A colour that is chosen by its components.'),
  typed('318dacd7-9073-4ede-b043-a0c132eb77e0', 'point', 'A slider in two or three directions: a point.'),
  typed('bcac2747-348b-4edd-ae1f-77a782cebbdd', 'number', 'A number that is set by turning a knob.'),
  typed('33bcf975-a0b2-4b54-99fd-585c893b9e88', 'number', 'A number that is set digit by digit.'),
  typed(
    '21553c44-ea62-475e-a8bb-62b2a3ee5ca5',
    'number',
    'Several numbers between the same limits, each on a slider.',
  ),
  typed('59e0b89a-e487-49f8-bab8-b5bab16be14c', 'text', 'A panel: its own text, or its input data as text.'),
]

/** Evaluates expressions that the import could not evaluate as constants. */
function evaluateExpressions(data: Tree<Value | null>, context: RunContext): Tree<Value | null> {
  return mapValues(data, (value) => {
    if (value === null || typeof value !== 'object' || value.type !== 'opaque') return value
    const { wire } = value
    if (wire.type !== 'unknown') return value
    const { description } = wire.value
    const result = evaluateConstant(description)
    if (result === undefined) context.limit(`The expression ${description} cannot be computed`)
    return result ?? null
  })
}

/**
 * Objects that pass data on, display it, or are filled in by an API caller and otherwise hold their stored
 * value.
 */
const PASSING_OBJECTS: readonly ParameterKind[] = [
  typed(
    '0890a32c-4e30-4f06-a98f-ed62b45838cf',
    'boolean',
    'Assert True of a test: passes on what has to be true. `meadow check` compares it.',
  ),
  typed('b6236720-8d88-4289-93c3-ac4c99f9b97b', 'any', 'A relay: passes a wire on.'),
  typed(
    '72a29b54-2e48-474b-a400-d2124c4edf79',
    'any',
    'Shows the paths and branches of the tree that reaches it.',
  ),
  {
    ...typed('2b69bf71-4e69-43aa-b7be-4f6ce7e45bef', 'number', 'Draws the numbers that reach it as a graph.'),
    options: { sortOrder: [0] },
  },
  typed('7b36b876-9451-46f5-8220-a200d969cc66', 'number', 'A number that a caller fills in.'),
  typed('b228887e-0852-4d9f-bd46-2591646e0d7c', 'integer', 'A whole number that a caller fills in.'),
  typed('51ef601d-f86e-4ee4-bcf2-3d459d3e95e9', 'boolean', 'A truth value that a caller fills in.'),
  typed('fed87bdd-8327-49cd-949c-09d70f3c345c', 'text', 'A text that a caller fills in.'),
  typed('997704ba-c1d3-4262-9090-927c81347ce6', 'point', 'A point that a caller fills in.'),
  typed('af519c71-7dc1-4524-b8cc-add5544e2ef6', 'line', 'A line that a caller fills in.'),
  typed('41dd7ba9-1f53-49d9-af42-a9270b0e9454', 'geometry', 'Geometry that a caller fills in.'),
]

/** Results for an API caller: the data of the input, so there are no outputs. */
const RESULTS: readonly Kind[] = [
  defineKind({
    guid: 'ae2531b4-bab2-4bb1-b5bf-f2143d10c132',
    description: 'Geometry that an API caller receives.',
    inputs: [tree.any],
    solve: () => [],
  }),
  defineKind({
    guid: '73215ec5-0eb5-4f85-9e07-b09c4590ce2b',
    description: 'Texts that an API caller receives.',
    inputs: [tree.any],
    solve: () => [],
  }),
]

export const PARAMETER_KINDS: readonly AnyKind[] = [
  ...FLOATING_PARAMETERS,
  ...INPUT_OBJECTS,
  ...PASSING_OBJECTS,
  ...PARAMETERS_WITH_SETTINGS,
  ...RESULTS,
]

/** The objects for the inputs and outputs of a cluster, which exist only inside clusters. */
export const CLUSTER_HOOKS: readonly ParameterKind[] = [
  typed('448de216-3a12-43cf-a135-e3bfafc87744', 'any', 'Returns the data of an input of its cluster.'),
  typed('a4b285fe-2e13-4204-b65c-189aa6704da5', 'any', 'Holds the data of an output of its cluster.'),
]
