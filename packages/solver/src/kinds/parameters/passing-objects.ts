import { defineParameter, type ParameterKind } from '../define-parameter.ts'

const typed = (guid: string, type: ParameterKind['type'], description: string) =>
  defineParameter({ guid, type, description })

/** What hands data on, shows it, or is filled in by a caller and otherwise holds what it was given here. */
export const PASSING_OBJECTS: readonly ParameterKind[] = [
  typed('b6236720-8d88-4289-93c3-ac4c99f9b97b', 'any', 'A relay: a wire around a corner.'),
  typed('72a29b54-2e48-474b-a400-d2124c4edf79', 'any', 'A viewer of paths: shows what reaches it.'),
  typed('2b69bf71-4e69-43aa-b7be-4f6ce7e45bef', 'number', 'A quick graph: draws the numbers that reach it.'),
  typed('7b36b876-9451-46f5-8220-a200d969cc66', 'number', 'A number that a caller fills in.'),
  typed('b228887e-0852-4d9f-bd46-2591646e0d7c', 'integer', 'A whole number that a caller fills in.'),
  typed('51ef601d-f86e-4ee4-bcf2-3d459d3e95e9', 'boolean', 'A truth value that a caller fills in.'),
  typed('fed87bdd-8327-49cd-949c-09d70f3c345c', 'text', 'A text that a caller fills in.'),
  typed('997704ba-c1d3-4262-9090-927c81347ce6', 'point', 'A point that a caller fills in.'),
  typed('af519c71-7dc1-4524-b8cc-add5544e2ef6', 'line', 'A line that a caller fills in.'),
  typed('41dd7ba9-1f53-49d9-af42-a9270b0e9454', 'geometry', 'Geometry that a caller fills in.'),
]

/** What stands inside clusters only, for an input or an output of theirs: nobody places it in a document. */
export const CLUSTER_HOOKS: readonly ParameterKind[] = [
  typed('448de216-3a12-43cf-a135-e3bfafc87744', 'any', 'Gives what an input of its cluster holds.'),
  typed('a4b285fe-2e13-4204-b65c-189aa6704da5', 'any', 'Holds what an output of its cluster gives.'),
]
