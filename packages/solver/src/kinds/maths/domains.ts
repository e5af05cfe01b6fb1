import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { type Domain, type Domain2, domain } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

/** The value at a normalised parameter of a domain: the start at 0, the end at 1. */
export function interpolateDomain({ start, end }: Domain, fraction: number): number {
  return (1 - fraction) * start + fraction * end
}

/** Maps a value from one domain to another. NaN for a source without extent. */
export function remap({ start, end }: Domain, target: Domain, value: number): number {
  return interpolateDomain(target, (value - start) / (end - start))
}

/** The closest value inside the domain. */
export function clampTo({ start, end }: Domain, value: number): number {
  return Math.min(Math.max(value, Math.min(start, end)), Math.max(start, end))
}

/** Divides a domain into equal parts. */
function divideDomain(whole: Domain, count: number): Domain[] {
  return Array.from({ length: count }, (_, i) =>
    domain(interpolateDomain(whole, i / count), interpolateDomain(whole, (i + 1) / count)),
  )
}

export const DOMAINS: readonly Kind[] = [
  defineKind({
    guid: 'd1a28e95-cf96-4936-bf34-8bf142d731bf',
    description: 'A domain from its two ends.',
    solve: ([start, end]) => [domain(start, end)],
  }),
  defineKind({
    guid: '825ea536-aebb-41e9-af32-8baeb2ecb590',
    description: 'The two ends of a domain.',
    solve: ([{ start, end }]) => [start, end],
  }),
  defineKind({
    guid: 'f44b92b0-3b5b-493a-86f4-fd7408c3daf3',
    description: 'The domain from the smallest to the largest of a list of numbers.',
    solve: ([numbers]) => {
      const known = present(numbers)
      if (known.length === 0) return []
      let [min, max] = [Infinity, -Infinity]
      for (const number of known) {
        min = Math.min(min, number)
        max = Math.max(max, number)
      }
      return [domain(min, max)]
    },
  }),
  defineKind({
    guid: '2fcc2743-8339-4cdf-a046-a1f17439191d',
    description:
      'Maps a number from one domain to another, both unclamped and clamped to the target; to its middle from a source without extent.',
    solve: ([value, source, target]) => {
      // Source of the middle, and of the null: what Grasshopper does, by the notes of Remap Numbers in pyhopper.
      if (source.start === source.end) return [interpolateDomain(target, 0.5)]
      const mapped = remap(source, target, value)
      return [mapped, clampTo(target, mapped)]
    },
  }),
  defineKind({
    guid: 'f217f873-92f1-47ae-ad71-ca3c5a45c3f8',
    description:
      'Tests whether a number is in a domain, ends included, and returns its distance from the domain.',
    solve: ([value, range]) => {
      const deviation = Math.abs(value - clampTo(range, value))
      return [deviation === 0, deviation]
    },
  }),
  defineKind({
    guid: '75ef4190-91a2-42d9-a245-32a7162b0384',
    description: 'Divides a domain into equal parts.',
    solve: ([whole, count], context) => {
      const parts = Math.max(0, count)
      context.reserve(parts, POINT_BYTES)
      return [divideDomain(whole, parts)]
    },
  }),
  defineKind({
    guid: '95992b33-89e1-4d36-bd35-2754a11af21e',
    description: 'The domains between consecutive numbers of a list, or between their running sums.',
    solve: ([numbers, additive], context) => {
      context.reserve(numbers.length, POINT_BYTES)
      let sum = 0
      const ends = present(numbers).map((number) => {
        sum += number
        return additive ? sum : number
      })
      return [ends.slice(1).map((end, i) => domain(ends[i] as number, end))]
    },
  }),
  defineKind({
    guid: '116df248-630e-4045-8c81-58693d1ff3a4',
    description: 'Clamps a number to a domain; a decreasing domain gives its start.',
    solve: ([value, range]) => [range.start > range.end ? range.start : clampTo(range, value)],
  }),
  defineKind({
    guid: '0b5c7fad-0473-41aa-bf52-d7a861dcaa29',
    description:
      'The index of the first domain that contains a number, or -1, and the index of the closest domain.',
    solve: ([domains, number, strict]) => {
      if (domains.length === 0) return [null, null]
      const gaps = domains.map((range) => (range ? Math.abs(number - clampTo(range, number)) : Infinity))
      const least = gaps.reduce((best, gap) => Math.min(best, gap), Infinity)
      const holds = (range: Domain | null, gap: number) =>
        gap === 0 && !(strict && (number === range?.start || number === range?.end))
      return [domains.findIndex((range, i) => holds(range, gaps[i] as number)), gaps.indexOf(least)]
    },
  }),
]

/** Domains in two directions. */
export const PLANE_DOMAINS: readonly Kind[] = [
  defineKind({
    guid: '8555a743-36c1-42b8-abcc-06d9cb94519f',
    description: 'A two-dimensional domain from two domains.',
    solve: ([u, v]) => [{ type: 'domain2', u, v }],
  }),
  defineKind({
    guid: '9083b87f-a98c-4e41-9591-077ae4220b19',
    description: 'A two-dimensional domain from four numbers.',
    solve: ([u0, u1, v0, v1]) => [{ type: 'domain2', u: domain(u0, u1), v: domain(v0, v1) }],
  }),
  defineKind({
    guid: 'f0adfc96-b175-46a6-80c7-2b0ee17395c4',
    description: 'The two domains of a two-dimensional one.',
    solve: ([{ u, v }]) => [u, v],
  }),
  defineKind({
    guid: '47c30f9d-b685-4d4d-9b20-5b60e48d5af8',
    description: 'The four ends of a two-dimensional domain.',
    solve: ([{ u, v }]) => [u.start, u.end, v.start, v.end],
  }),
  defineKind({
    guid: 'dd53b24c-003a-4a04-b185-a44d91633cbe',
    description: 'The domains of the x and of the y coordinates of points.',
    solve: ([coordinates]) => {
      const known = present(coordinates)
      if (known.length === 0) return []
      const [xs, ys] = [known.map(({ x }) => x), known.map(({ y }) => y)]
      return [{ type: 'domain2', u: findBounds(xs), v: findBounds(ys) }]
    },
  }),
  defineKind({
    guid: '75ac008b-1bc2-4edd-b967-667d628b9d24',
    description: 'Divides a two-dimensional domain into equal parts, along v first.',
    solve: ([whole, u, v], context) => {
      if (u < 1 || v < 1) {
        context.error('Counts must be 1 or more')
        return []
      }
      context.reserve(u * v, 2 * POINT_BYTES)
      const columns = divideDomain(whole.v, v)
      const segments = divideDomain(whole.u, u).flatMap((part) =>
        columns.map((other): Domain2 => ({ type: 'domain2', u: part, v: other })),
      )
      return [segments]
    },
  }),
]

function findBounds(numbers: readonly number[]) {
  const smaller = (a: number, b: number) => Math.min(a, b)
  const larger = (a: number, b: number) => Math.max(a, b)
  return domain(numbers.reduce(smaller, Infinity), numbers.reduce(larger, -Infinity))
}
