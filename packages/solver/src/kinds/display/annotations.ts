import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, list, optional } from '../declaration/ports.ts'
import { drawing } from './drawing.ts'

/** Dimensions, hatches and numbers of points. */
export const ANNOTATIONS: readonly Kind[] = [
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
