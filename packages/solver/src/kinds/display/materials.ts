import { domain } from '../../values/value.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { clampTo } from '../maths/domains.ts'
import { item } from '../ports.ts'

export const MATERIALS: readonly Kind[] = [
  defineKind({
    guid: '76975309-75a6-446a-afed-f8653720a9f2',
    description: 'A material from its colours, its transparency from 0 to 1 and its shine from 0 to 100.',
    inputs: {
      diffuse: item.colour,
      specular: item.colour,
      emission: item.colour,
      transparency: item.number,
      shine: item.integer,
    },
    outputs: { material: item.shader },
    solve: ({ transparency, shine, ...colours }) => ({
      material: {
        type: 'shader',
        ...colours,
        transparency: clampTo(domain(0, 1), transparency),
        shine: clampTo(domain(0, 100), shine),
      },
    }),
  }),
]
