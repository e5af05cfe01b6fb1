import { defineKind, type Kind } from '../define-kind.ts'
import { named, tree } from '../ports.ts'

/** What a definition hands to a caller: the data are those of the input, so there is nothing to give. */
export const RESULTS: readonly Kind[] = [
  defineKind({
    guid: 'ae2531b4-bab2-4bb1-b5bf-f2143d10c132',
    name: 'Context Bake',
    description: 'Geometry that a caller is handed.',
    inputs: { geometry: named('Geometry', tree.any) },
    outputs: {},
    solve: () => ({}),
  }),
  defineKind({
    guid: '73215ec5-0eb5-4f85-9e07-b09c4590ce2b',
    name: 'Context Print',
    description: 'Texts that a caller is handed.',
    inputs: { text: named('Text', tree.any) },
    outputs: {},
    solve: () => ({}),
  }),
]
