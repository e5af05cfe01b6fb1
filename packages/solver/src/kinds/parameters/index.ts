import { listParameterTypes } from '@meadow/document'
import type { Value } from '@meadow/geometry/values/value'
import { evaluateConstant } from '../../expressions/evaluate-constant.ts'
import { simplify } from '../../tree/structure.ts'
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

type Data = Tree<Value | null>

/** Parameters whose data comes from a model or another document. */
const NOT_OURS: ReadonlySet<string> = new Set(['Receiver', 'Script Parameter', 'Script Variable'])

function passOn(guid: string, description: string): ParameterKind {
  return defineParameter({ guid, description })
}

/** The floating parameters, one for each port type. */
const FLOATING_PARAMETERS: readonly ParameterKind[] = listParameterTypes()
  .filter(({ name }) => !NOT_OURS.has(name))
  .map(({ guid, name }) => passOn(guid, `Holds or passes on values of type ${name}.`))

/**
 * Input objects: the document stores their settings as literals of the single port, so they only pass them on.
 */
const INPUT_OBJECTS: readonly ParameterKind[] = [
  defineParameter({
    guid: '57da07bd-ecab-415d-9d86-af36d7073abc',
    description: 'A number slider: its current number.',
    // Its whole numbers stay integers.
    type: 'any',
  }),
  passOn('2e78987b-9dfb-42a2-8b76-3923ac8bd91a', 'A boolean toggle: true or false.'),
  defineParameter({
    guid: 'a8b97322-2d53-47cd-905e-b932c3ccd74e',
    description: 'A button. In Meadow it is never pressed.',
    prepare: evaluateExpressions,
  }),
  defineParameter({
    guid: '00027467-0d24-4fa7-b178-8dc0ac5f42ec',
    description: 'A list to choose from: gives the values of the chosen items.',
    prepare: evaluateExpressions,
  }),
  passOn('9c53bac0-ba66-40bd-8154-ce9829b9db1a', 'A colour that is chosen on the node.'),
  passOn('51a2ede9-8f8c-4fdf-a375-999c2062eab7', 'A colour that is chosen on a wheel.'),
  passOn('339c0ee1-cf11-444f-8e10-65c9150ea755', 'A colour that is chosen by its components.'),
  passOn('318dacd7-9073-4ede-b043-a0c132eb77e0', 'A slider in two or three directions: a point.'),
  passOn('bcac2747-348b-4edd-ae1f-77a782cebbdd', 'A number that is set by turning a knob.'),
  passOn('33bcf975-a0b2-4b54-99fd-585c893b9e88', 'A number that is set digit by digit.'),
  passOn(
    '21553c44-ea62-475e-a8bb-62b2a3ee5ca5',
    'Several numbers between the same limits, each on a slider.',
  ),
  passOn('59e0b89a-e487-49f8-bab8-b5bab16be14c', 'A panel: its own text, or its input data as text.'),
]

/** Evaluates expressions that the import could not evaluate as constants. */
function evaluateExpressions(data: Data, context: RunContext): Data {
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

/** Whether indices that are common further back are removed too is not published. */
function simplifyFront(data: Data, context: RunContext): Data {
  const [front, all] = [simplify(data, { front: true }), simplify(data)]
  if (front.branches.some(({ path }, i) => path.length !== all.branches[i]?.path.length))
    context.limit('What Suirify makes of indices that are common behind others is not published')
  return front
}

/**
 * Objects that pass data on, display it, or are filled in by an API caller and otherwise hold their stored
 * value.
 */
const PASSING_OBJECTS: readonly ParameterKind[] = [
  passOn(
    '0890a32c-4e30-4f06-a98f-ed62b45838cf',
    'Assert True of a test: passes on what has to be true. `meadow check` compares it.',
  ),
  passOn('b6236720-8d88-4289-93c3-ac4c99f9b97b', 'A relay: passes a wire on.'),
  defineParameter({
    guid: '5d4e1eeb-482e-42a7-aa2f-e5deb8a1018e',
    description: 'Removes the leading indices that all paths have in common.',
    change: simplifyFront,
  }),
  passOn('72a29b54-2e48-474b-a400-d2124c4edf79', 'Shows the paths and branches of the tree that reaches it.'),
  passOn('2b69bf71-4e69-43aa-b7be-4f6ce7e45bef', 'Draws the numbers that reach it as a graph.'),
  passOn('e1905a16-da43-4705-bd65-41d34328c4e6', 'Draws the numbers that reach it as bars.'),
  passOn('952c2bcc-b5ec-480a-a0d7-27f016632e33', 'Draws the texts that reach it as a pie.'),
  passOn('615367b4-c9d0-4cb7-986c-cb861226136f', 'Draws how the numbers that reach it change over time.'),
  passOn('54ab3f01-a769-4742-a7bf-cec48a1acb6f', 'Shows pictures, one after the other.'),
  passOn('b6d27aa4-a61f-4d08-b76e-1105fef0e9e4', 'Shows the numbers of a matrix, and passes it on.'),
  passOn('93c24899-f456-4785-84f2-314958b9347b', 'Shows the numbers of a transform, and passes it on.'),
  passOn('7b36b876-9451-46f5-8220-a200d969cc66', 'A number that a caller fills in.'),
  passOn('b228887e-0852-4d9f-bd46-2591646e0d7c', 'A whole number that a caller fills in.'),
  passOn('51ef601d-f86e-4ee4-bcf2-3d459d3e95e9', 'A truth value that a caller fills in.'),
  passOn('fed87bdd-8327-49cd-949c-09d70f3c345c', 'A text that a caller fills in.'),
  passOn('997704ba-c1d3-4262-9090-927c81347ce6', 'A point that a caller fills in.'),
  passOn('af519c71-7dc1-4524-b8cc-add5544e2ef6', 'A line that a caller fills in.'),
  passOn('41dd7ba9-1f53-49d9-af42-a9270b0e9454', 'Geometry that a caller fills in.'),
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
  passOn('448de216-3a12-43cf-a135-e3bfafc87744', 'Returns the data of an input of its cluster.'),
  passOn('a4b285fe-2e13-4204-b65c-189aa6704da5', 'Holds the data of an output of its cluster.'),
]
