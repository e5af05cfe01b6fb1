import { toShader } from '@meadow/geometry/values/shader'
import { domain } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item } from '../declaration/ports.ts'
import { clampTo } from '../maths/domains.ts'
import { ANNOTATIONS } from './annotations.ts'
import { drawing } from './drawing.ts'

const MATERIALS: readonly Kind[] = [
  defineKind({
    guid: '76975309-75a6-446a-afed-f8653720a9f2',
    description: 'A material from its colours, its transparency from 0 to 1 and its shine from 0 to 100.',
    solve: ([diffuse, specular, emission, transparency, shine]) => [
      {
        type: 'shader',
        diffuse,
        specular,
        emission,
        transparency: clampTo(domain(0, 1), transparency),
        shine: clampTo(domain(0, 100), shine),
      },
    ],
  }),
]

export const DISPLAY_KINDS: readonly Kind[] = [
  defineKind({
    guid: '537b0419-bbc2-4ff4-bf08-afe526367b2c',
    description: 'Draws geometry in a colour or material.',
    inputs: [item.any, item.shader],
    ignoresValues: true,
    solve([geometry, material], { node, paint }) {
      if (node.status.isPreviewed) paint(geometry, material)
      return []
    },
  }),
  drawing('3b220754-4114-4170-b6c3-b286b86ed524', 'Draws a text at a point.'),
  defineKind({
    guid: '059b72b0-9bb3-4542-a805-2dcd27493164',
    description: 'Draws points as a cloud.',
    solve([points, colours], { node, paint }) {
      if (!node.status.isPreviewed) return []
      for (const [i, point] of points?.entries() ?? []) {
        const colour = colours[Math.min(i, colours.length - 1)]
        if (point && colour) paint(point, toShader(colour))
      }
      return []
    },
  }),
  drawing('cc14daa5-911a-4fcc-8b3b-1149bf7f2eeb', 'Draws the numbers of points.'),
  drawing('2a3f7078-2e25-4dd4-96f7-0efb491bd61c', 'Draws vectors as arrows.'),
  drawing('11e95a7b-1e2c-4b66-bd95-fcad51f8662a', 'Draws vectors as arrows in a colour.'),
  drawing('f6867cdd-2216-4451-9134-7da94bdcd5af', 'Draws a legend of colours and their names.'),
  drawing('5a41528b-12b9-40dc-a3f2-842034d267c4', 'Draws a text in a plane.'),
  defineKind({
    guid: '6b1bd8b2-47a4-4aa6-a471-3fd91c62a486',
    description: 'Draws points as coloured dots.',
    solve([point, colour], { node, paint }) {
      if (node.status.isPreviewed) paint(point, toShader(colour))
      return []
    },
  }),
  drawing('0ad9f1ab-2204-45bb-b282-474469e2fa7b', 'Draws arrows from point to point.'),
  ...ANNOTATIONS,
  ...MATERIALS,
]
