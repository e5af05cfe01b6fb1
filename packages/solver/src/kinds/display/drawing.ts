import { defineKind, type Kind } from '../declaration/define-kind.ts'

/** A kind that only draws: it has no outputs, and the solver only checks that its inputs have data. */
export function drawing(guid: string, description: string): Kind {
  return defineKind({
    guid,
    description,
    outputs: [],
    solve: () => [],
  })
}
