import { evaluateConstant } from '../../expressions/evaluate-constant.ts'
import { mapValues, type Tree } from '../../tree/tree.ts'
import type { Value } from '../../values/value.ts'
import type { RunContext } from '../define-kind.ts'
import { defineParameter, type ParameterKind } from '../define-parameter.ts'

/**
 * What users set on the canvas. The document keeps what is set as the values of the one port, so all of these only
 * hand it on.
 */
export const INPUT_OBJECTS: readonly ParameterKind[] = [
  defineParameter({
    guid: '57da07bd-ecab-415d-9d86-af36d7073abc',
    description: 'A number slider: the number, whole or not, that it is set to.',
    type: 'any',
  }),
  defineParameter({
    guid: '2e78987b-9dfb-42a2-8b76-3923ac8bd91a',
    description: 'A boolean toggle: true or false.',
    type: 'boolean',
  }),
  defineParameter({
    guid: ['a8b97322-2d53-47cd-905e-b932c3ccd74e', '00027467-0d24-4fa7-b178-8dc0ac5f42ec'],
    description:
      'A button that nobody presses, or a value list: the values of the expressions that are chosen.',
    type: 'any',
    prepare: evaluateExpressions,
  }),
  defineParameter({
    guid: [
      '9c53bac0-ba66-40bd-8154-ce9829b9db1a',
      '51a2ede9-8f8c-4fdf-a375-999c2062eab7',
      '339c0ee1-cf11-444f-8e10-65c9150ea755',
    ],
    description: 'A colour swatch, wheel or picker: the colour that is chosen.',
    type: 'colour',
  }),
  defineParameter({
    guid: '318dacd7-9073-4ede-b043-a0c132eb77e0',
    description: 'A slider in two or three directions: a point.',
    type: 'point',
  }),
  defineParameter({
    guid: [
      'bcac2747-348b-4edd-ae1f-77a782cebbdd',
      '33bcf975-a0b2-4b54-99fd-585c893b9e88',
      '21553c44-ea62-475e-a8bb-62b2a3ee5ca5',
    ],
    description: 'A control knob, a digit scroller, or a pool of genes: the numbers that are set.',
    type: 'number',
  }),
  defineParameter({
    guid: '59e0b89a-e487-49f8-bab8-b5bab16be14c',
    description: 'A panel: what is written on it as text, or what reaches it, as text.',
    type: 'text',
  }),
]

/** Expressions that the document could not read as constants stand there in words. */
function evaluateExpressions(data: Tree<Value | null>, context: RunContext): Tree<Value | null> {
  return mapValues(data, (value) => {
    if (value === null || typeof value !== 'object' || value.type !== 'opaque') return value
    const { wire } = value
    if (wire.type !== 'unknown') return value
    const { description } = wire.value
    const result = evaluateConstant(description)
    if (result === undefined) context.error(`The expression ${description} cannot be computed`)
    return result ?? null
  })
}
