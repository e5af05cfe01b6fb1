import { domain, type Opaque } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, list, optional } from '../declaration/ports.ts'
import { clampTo } from '../maths/domains.ts'
import { PAINTERS } from './painters.ts'

/** A kind that only draws: it has no outputs, and the solver only checks that its inputs have data. */
function drawing(guid: string, description: string): Kind {
  return defineKind({ guid, description, outputs: [], solve: () => [] })
}

/** Dimensions, hatches and numbers of points. */
const ANNOTATIONS: readonly Kind[] = [
  drawing('d78f026a-0109-4bcc-bf91-d08475711466', 'Draws the length of a line.'),
  drawing('3de3d3a0-1a1b-488c-b3d9-3fba0fdf07a8', 'Draws the distance of two points in a plane.'),
  drawing('5018bf8d-8566-4917-a6e3-5a623bda8079', 'Draws the distance of two points along a line.'),
  drawing('7dd42002-75bb-4f41-857f-472a140b3b28', 'Draws the distances of several points along a line.'),
  drawing('c5208969-16f9-48af-8a86-e500c033fb76', 'Draws a text at the end of a line.'),
  drawing('fc6b519e-df6d-4ce1-a1f4-083f1c217c14', 'Draws the angle between two directions.'),
  drawing('91f3bde5-26e6-432e-a5fe-a2938b2a94f9', 'Draws the angles of the corners of a mesh.'),
  drawing('1bd97813-4fec-4453-9645-4ac920844f9d', 'Draws the angle of an arc.'),
  drawing('7e9489e0-122d-401a-aba8-f1dae0217c40', 'Draws the angle between two points on a circle.'),
  drawing('5f9e4549-8135-4a90-97c8-8a34bf05e99a', 'Draws a pattern inside of curves.'),
  drawing('6ce90407-9eac-4a1a-a81a-949b601f18f3', 'Draws a gradient inside of curves.'),
  defineKind({
    guid: '1f18e802-4ab9-444f-bf3c-3e7e421a2acf',
    description: 'Draws points with their numbers and connecting lines.',
    inputs: [optional(list.point), item.boolean, item.boolean, optional(item.number)],
    solve: () => [],
  }),
]

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

/** How a symbol looks is passed on unchanged, and drawn nowhere in Meadow. */
function symbol(guid: string, description: string): Kind {
  const value: Opaque = { type: 'opaque', wire: { type: 'unknown', value: { description: 'Symbol' } } }
  return defineKind({ guid, description, outputs: [item.opaque], solve: () => [value] })
}

const SYMBOLS: readonly Kind[] = [
  symbol('79747717-1874-4c34-b790-faef53b50569', 'How a symbol looks: its style, size, rotation and colour.'),
  symbol(
    'e5c82975-8011-412c-b56d-bb7fc9e7f28d',
    'How a symbol looks, with the colours of its inside and its edge.',
  ),
  defineKind({
    guid: '62d5ead4-53c4-4d0b-b5ce-6bd6e0850ab8',
    description: 'Draws symbols at points.',
    inputs: [item.point, item.opaque],
    outputs: [],
    solve: () => [],
  }),
]

export const DISPLAY_KINDS: readonly Kind[] = [
  ...PAINTERS,
  drawing('3b220754-4114-4170-b6c3-b286b86ed524', 'Draws a text at a point.'),
  drawing('cc14daa5-911a-4fcc-8b3b-1149bf7f2eeb', 'Draws the numbers of points.'),
  drawing('2a3f7078-2e25-4dd4-96f7-0efb491bd61c', 'Draws vectors as arrows.'),
  drawing('11e95a7b-1e2c-4b66-bd95-fcad51f8662a', 'Draws vectors as arrows in a colour.'),
  drawing('f6867cdd-2216-4451-9134-7da94bdcd5af', 'Draws a legend of colours and their names.'),
  drawing('5a41528b-12b9-40dc-a3f2-842034d267c4', 'Draws a text in a plane.'),
  drawing('0ad9f1ab-2204-45bb-b282-474469e2fa7b', 'Draws arrows from point to point.'),
  drawing('7376fe41-74ec-497e-b367-1ffe5072608b', 'Draws how strongly a curve bends.'),
  drawing('08619b6d-f9c4-4cb2-adcd-90959f08dc0d', 'Draws the forces of a field in a rectangle.'),
  drawing('b78d95bc-dffb-414c-b177-c611c92580b9', 'Draws a view of the model on the canvas.'),
  ...ANNOTATIONS,
  ...MATERIALS,
  ...SYMBOLS,
]
