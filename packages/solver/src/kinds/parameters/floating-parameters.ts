import { listParameterTypes } from '@meadow/document'
import { getPortType } from '../../conversions/port-types.ts'
import { defineParameter, type ParameterKind } from '../define-parameter.ts'

/** Parameters that read from elsewhere than their wires and values: a model, another document. */
const NOT_OURS: ReadonlySet<string> = new Set(['Receiver', 'Script Parameter', 'Script Variable'])

/** The parameters that stand on the canvas by themselves, one for each type of port. */
export const FLOATING_PARAMETERS: readonly ParameterKind[] = listParameterTypes()
  .filter(({ name }) => !NOT_OURS.has(name))
  .map(({ guid, name }) =>
    defineParameter({
      guid,
      description: `Holds or passes on values of type ${name}.`,
      type: getPortType(name),
    }),
  )
