import { countUses } from '../../geometry/breps/extrude.ts'
import { listFaces } from '../../geometry/breps/list-faces.ts'
import { getSurface } from '../../geometry/surfaces/get-surface.ts'
import { findIsotrim } from '../../geometry/surfaces/isotrim.ts'
import { toPoint } from '../../values/points.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, named } from '../ports.ts'

export const SURFACE_PARTS: readonly Kind[] = [
  defineKind({
    guid: '8d372bdc-9800-45e9-8a26-6e33c5253e21',
    description: 'The faces of a brep as surfaces of their own, its edges and its vertices.',
    inputs: { brep: item.brep },
    outputs: { faces: list.surface, edges: list.curve, vertices: list.point },
    solve: ({ brep }, context) => {
      context.reserve(brep.faces.length + brep.edges.length + brep.vertices.length)
      return {
        faces: listFaces(brep),
        edges: brep.edges.map(({ curve }) => curve),
        vertices: brep.vertices.map(toPoint),
      }
    },
  }),
  defineKind({
    guid: '0148a65d-6f42-414a-9db7-9a9b2eb78437',
    name: 'Brep Edges',
    description: 'The edges of a brep: with a face on one side, on both sides, and with more than two faces.',
    inputs: { brep: named('Brep (B)', item.brep) },
    outputs: {
      naked: named('Naked (En)', list.curve),
      interior: named('Interior (Ei)', list.curve),
      nonManifold: named('Non-Manifold (Em)', list.curve),
    },
    solve: ({ brep }, context) => {
      context.reserve(brep.edges.length)
      const uses = countUses(brep)
      const pick = (isWanted: (count: number) => boolean) =>
        brep.edges.filter((_, i) => isWanted(uses[i] as number)).map(({ curve }) => curve)
      return {
        naked: pick((count) => count === 1),
        interior: pick((count) => count === 2),
        nonManifold: pick((count) => count > 2),
      }
    },
  }),
  defineKind({
    guid: '6a9ccaab-1b03-484e-bbda-be9c81584a66',
    name: 'Isotrim',
    description: 'The part of a surface over a part of its domain; trims are left behind.',
    inputs: { surface: named('Surface (S)', item.surface), domain: named('Domain (D)', item.domain2) },
    outputs: { surface: named('Surface (S)', item.surface) },
    solve: ({ surface, domain: { u, v } }, context) => {
      const part = findIsotrim(getSurface(surface).surface, u, v)
      if (!part) context.error('Domain is not inside of the domain of the surface')
      return { surface: part }
    },
  }),
]
