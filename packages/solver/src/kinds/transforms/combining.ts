import { compose, findInverse, IDENTITY } from '@meadow/geometry/transform/matrix'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'
import { findMoved } from './transform-outputs.ts'

export const COMBINING: readonly Kind[] = [
  defineKind({
    guid: 'ca80054a-cde0-4f69-a132-10502b24866d',
    description: 'Combines several transforms, applied one after the other, into one.',
    solve: ([transforms], context) => {
      context.reserve(transforms.length)
      return [present(transforms).reduce(compose, IDENTITY)]
    },
  }),
  defineKind({
    guid: '51f61166-7202-45aa-9126-3d83055b269e',
    description: 'The inverse of a transform.',
    solve: ([transform], context) => {
      const inverse = findInverse(transform)
      if (!inverse) context.error('There is no way back from what is pressed flat')
      return [inverse ?? null]
    },
  }),
  defineKind({
    guid: '15204c6d-bba8-403d-9e8f-6660ab8e0df5',
    description: 'Merges two groups into one.',
    solve: ([a, b], context) => {
      context.reserve(a.members.length + b.members.length)
      return [{ type: 'group', members: [...a.members, ...b.members] }]
    },
  }),
  defineKind({
    guid: 'fd03419e-e1cc-4603-8a57-6dfa56ed5dec',
    description: 'Splits a group into the objects at some indices and all others.',
    solve: ([{ members }, indices, wraps], context) => {
      const { length } = members
      const places = present(indices).map((i) => (wraps && length > 0 ? ((i % length) + length) % length : i))
      if (places.some((place, i) => !(place > (places[i - 1] ?? -1)) || place >= length)) {
        context.limit(
          'Which objects belong to indices out of order, or that the group lacks, is not published',
        )
        return []
      }
      context.reserve(length)
      const chosen = new Set(places)
      const pick = (isChosen: boolean) => members.filter((_, i) => chosen.has(i) === isChosen)
      return [
        { type: 'group', members: pick(true) },
        { type: 'group', members: pick(false) },
      ]
    },
  }),
  defineKind({
    guid: '610e689b-5adc-47b3-af8f-e3a32b7ea341',
    description: 'Applies a transform to geometry.',
    solve: ([geometry, transform], context) => [findMoved(geometry, transform, context) ?? null],
  }),
  defineKind({
    guid: '874eebe7-835b-4f4f-9811-97e031c41597',
    description: 'Combines objects into a group.',
    solve: ([objects]) => [{ type: 'group', members: present(objects) }],
  }),
  defineKind({
    guid: 'a45f59c8-11c1-4ea7-9e10-847061b80d75',
    description: 'The objects of a group.',
    solve: ([{ members }], context) => {
      context.reserve(members.length)
      return [members]
    },
  }),
]
