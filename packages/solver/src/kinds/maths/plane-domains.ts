import { POINT_BYTES } from '../../budget/budget.ts'
import { type Domain2, domain } from '../../values/value.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, named, present } from '../ports.ts'
import { divideDomain } from './domains.ts'

/** Domains in two directions. */
export const PLANE_DOMAINS: readonly Kind[] = [
  defineKind({
    guid: '8555a743-36c1-42b8-abcc-06d9cb94519f',
    name: 'Construct Domain²',
    description: 'A two-dimensional domain from two domains.',
    inputs: { u: named('Domain U (U)', item.domain), v: named('Domain V (V)', item.domain) },
    outputs: { domain: named('2D Domain (I²)', item.domain2) },
    solve: ({ u, v }) => ({ domain: { type: 'domain2', u, v } }),
  }),
  defineKind({
    guid: '9083b87f-a98c-4e41-9591-077ae4220b19',
    name: 'Construct Domain²',
    description: 'A two-dimensional domain from four numbers.',
    inputs: {
      u0: named('U min (U0)', item.number),
      u1: named('U max (U1)', item.number),
      v0: named('V min (V0)', item.number),
      v1: named('V max (V1)', item.number),
    },
    outputs: { domain: named('2D Domain (I²)', item.domain2) },
    solve: ({ u0, u1, v0, v1 }) => ({ domain: { type: 'domain2', u: domain(u0, u1), v: domain(v0, v1) } }),
  }),
  defineKind({
    guid: 'f0adfc96-b175-46a6-80c7-2b0ee17395c4',
    name: 'Deconstruct Domain²',
    description: 'The two domains of a two-dimensional one.',
    inputs: { domain: named('Domain (I)', item.domain2) },
    outputs: { u: named('U component (U)', item.domain), v: named('V component (V)', item.domain) },
    solve: ({ domain: { u, v } }) => ({ u, v }),
  }),
  defineKind({
    guid: '47c30f9d-b685-4d4d-9b20-5b60e48d5af8',
    name: 'Deconstruct Domain²',
    description: 'The four ends of a two-dimensional domain.',
    inputs: { domain: named('Domain (I)', item.domain2) },
    outputs: {
      u0: named('U min (U0)', item.number),
      u1: named('U max (U1)', item.number),
      v0: named('V min (V0)', item.number),
      v1: named('V max (V1)', item.number),
    },
    solve: ({ domain: { u, v } }) => ({ u0: u.start, u1: u.end, v0: v.start, v1: v.end }),
  }),
  defineKind({
    guid: 'dd53b24c-003a-4a04-b185-a44d91633cbe',
    name: 'Bounds 2D',
    description: 'The domains of the x and of the y coordinates of points.',
    inputs: { coordinates: named('Coordinates (C)', list.point) },
    outputs: { domain: named('Domain (I)', item.domain2) },
    solve: ({ coordinates }) => {
      const known = present(coordinates)
      if (known.length === 0) return {}
      const [xs, ys] = [known.map(({ x }) => x), known.map(({ y }) => y)]
      return { domain: { type: 'domain2', u: findBounds(xs), v: findBounds(ys) } }
    },
  }),
  defineKind({
    guid: '75ac008b-1bc2-4edd-b967-667d628b9d24',
    name: 'Divide Domain²',
    description: 'Cuts a two-dimensional domain into equal parts, along v first.',
    inputs: {
      domain: named('Domain (I)', item.domain2),
      u: named('U Count (U)', item.integer),
      v: named('V Count (V)', item.integer),
    },
    outputs: { segments: named('Segments (S)', list.domain2) },
    solve: ({ domain: whole, u, v }, context) => {
      if (u < 1 || v < 1) {
        context.error('Counts must be 1 or more')
        return {}
      }
      context.reserve(u * v, 2 * POINT_BYTES)
      const columns = divideDomain(whole.v, v)
      const segments = divideDomain(whole.u, u).flatMap((part) =>
        columns.map((other): Domain2 => ({ type: 'domain2', u: part, v: other })),
      )
      return { segments }
    },
  }),
]

function findBounds(numbers: readonly number[]) {
  const smaller = (a: number, b: number) => Math.min(a, b)
  const larger = (a: number, b: number) => Math.max(a, b)
  return domain(numbers.reduce(smaller, Infinity), numbers.reduce(larger, -Infinity))
}
