import type { Kind } from '../declaration/define-kind.ts'
import { item, list, named, optional } from '../declaration/ports.ts'
import { drawing } from './drawing.ts'

/** Dimensions, hatches and numbers of points. Source of the ports: nodepen/nodes (MIT). */
export const ANNOTATIONS: readonly Kind[] = [
  drawing(
    'd78f026a-0109-4bcc-bf91-d08475711466',
    'Draws the length of a line.',
    {
      line: named('Line (L)', item.line),
      text: named('Text (T)', item.text),
      size: named('Size (S)', item.number),
    },
    'Line Dimension',
  ),
  drawing(
    '3de3d3a0-1a1b-488c-b3d9-3fba0fdf07a8',
    'Draws the distance of two points in a plane.',
    {
      plane: named('Plane (P)', item.plane),
      pointA: named('Point A (A)', item.point),
      pointB: named('Point B (B)', item.point),
      offset: named('Offset (O)', item.number),
      text: named('Text (T)', item.text),
      size: named('Size (S)', item.number),
    },
    'Aligned Dimension',
  ),
  drawing(
    '5018bf8d-8566-4917-a6e3-5a623bda8079',
    'Draws the distance of two points along a line.',
    {
      line: named('Line (L)', item.line),
      pointA: named('Point A (A)', item.point),
      pointB: named('Point B (B)', item.point),
      text: named('Text (T)', item.text),
      size: named('Size (S)', item.number),
    },
    'Linear Dimension',
  ),
  drawing(
    '7dd42002-75bb-4f41-857f-472a140b3b28',
    'Draws the distances of several points along a line.',
    {
      line: named('Line (L)', item.line),
      points: named('Points (P)', list.point),
      text: named('Text (T)', item.text),
      size: named('Size (S)', item.number),
    },
    'Serial Dimension',
  ),
  drawing(
    'c5208969-16f9-48af-8a86-e500c033fb76',
    'Draws a text at the end of a line.',
    {
      line: named('Line (L)', item.line),
      text: named('Text (T)', item.text),
      size: named('Size (S)', item.number),
    },
    'Marker Dimension',
  ),
  drawing(
    'fc6b519e-df6d-4ce1-a1f4-083f1c217c14',
    'Draws the angle between two directions.',
    {
      center: named('Center (C)', item.point),
      pointA: named('Point A (A)', item.point),
      pointB: named('Point B (B)', item.point),
      reflex: named('Reflex (R)', item.boolean),
      text: named('Text (T)', item.text),
      size: named('Size (S)', item.number),
    },
    'Angular Dimension',
  ),
  drawing(
    '91f3bde5-26e6-432e-a5fe-a2938b2a94f9',
    'Draws the angles of the corners of a mesh.',
    {
      mesh: named('Mesh (M)', item.mesh),
      text: named('Text (T)', item.text),
      size: named('Size (S)', item.number),
      lengthFactor: named('Length Factor (F)', item.number),
      minimumAngle: named('Minimum Angle (A0)', optional(item.number)),
      maximumAngle: named('Maximum Angle (A1)', optional(item.number)),
    },
    'Angular Dimensions (Mesh)',
  ),
  drawing(
    '1bd97813-4fec-4453-9645-4ac920844f9d',
    'Draws the angle of an arc.',
    {
      arc: named('Arc (A)', item.arc),
      offset: named('Offset (O)', item.number),
      text: named('Text (T)', item.text),
      size: named('Size (S)', item.number),
    },
    'Arc Dimension',
  ),
  drawing(
    '7e9489e0-122d-401a-aba8-f1dae0217c40',
    'Draws the angle between two points on a circle.',
    {
      circle: named('Circle (C)', item.circle),
      pointA: named('Point A (A)', item.point),
      pointB: named('Point B (B)', item.point),
      text: named('Text (T)', item.text),
      size: named('Size (S)', item.number),
    },
    'Circular Dimension',
  ),
  drawing(
    '5f9e4549-8135-4a90-97c8-8a34bf05e99a',
    'Draws a pattern inside of curves.',
    {
      boundaries: named('Boundaries (B)', list.curve),
      pattern: named('Pattern (P)', item.integer),
      scale: named('Scale (S)', item.number),
      angle: named('Angle (A)', item.number),
    },
    'Pattern Hatch',
  ),
  drawing(
    '6ce90407-9eac-4a1a-a81a-949b601f18f3',
    'Draws a gradient inside of curves.',
    {
      boundaries: named('Boundaries (B)', list.curve),
      axis: named('Axis (A)', item.line),
      colour1: named('Colour 1 (C1)', item.colour),
      colour2: named('Colour 2 (C2)', item.colour),
    },
    'Gradient Hatch',
  ),
  drawing(
    '1f18e802-4ab9-444f-bf3c-3e7e421a2acf',
    'Draws points with their numbers and connecting lines.',
    {
      points: named('Points (P)', optional(list.point)),
      tags: named('Tags (T)', item.boolean),
      lines: named('Lines (L)', item.boolean),
      size: named('Size (S)', optional(item.number)),
    },
    'Point List',
  ),
]
