import { defineKind, type Kind, type Ports } from '../declaration/define-kind.ts'

/** A kind that only draws: it has no outputs, and the solver only checks that its inputs have data. */
export function drawing(guid: string, description: string, inputs: Ports): Kind {
  return defineKind({
    guid,
    description,
    inputs,
    outputs: {},
    solve: () => ({}),
  })
}
