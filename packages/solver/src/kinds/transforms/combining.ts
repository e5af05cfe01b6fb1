import { compose, findInverse, IDENTITY } from '@meadow/geometry/transform/matrix'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, list, present } from '../declaration/ports.ts'
import { findMoved } from './transform-outputs.ts'

export const COMBINING: readonly Kind[] = [
  defineKind({
    guid: 'ca80054a-cde0-4f69-a132-10502b24866d',
    description: 'Combines several transforms, applied one after the other, into one.',
    inputs: { transforms: list.transform },
    outputs: { compound: item.transform },
    solve: ({ transforms }, context) => {
      context.reserve(transforms.length)
      return { compound: present(transforms).reduce(compose, IDENTITY) }
    },
  }),
  defineKind({
    guid: '51f61166-7202-45aa-9126-3d83055b269e',
    description: 'The inverse of a transform.',
    inputs: { transform: item.transform },
    outputs: { transform: item.transform },
    solve: ({ transform }, context) => {
      const inverse = findInverse(transform)
      if (!inverse) context.error('There is no way back from what is pressed flat')
      return { transform: inverse ?? null }
    },
  }),
  defineKind({
    guid: '15204c6d-bba8-403d-9e8f-6660ab8e0df5',
    description: 'Merges two groups into one.',
    inputs: { a: item.group, b: item.group },
    outputs: { group: item.group },
    solve: ({ a, b }, context) => {
      context.reserve(a.members.length + b.members.length)
      return { group: { type: 'group', members: [...a.members, ...b.members] } }
    },
  }),
  defineKind({
    guid: '610e689b-5adc-47b3-af8f-e3a32b7ea341',
    description: 'Applies a transform to geometry.',
    inputs: {
      geometry: item.geometry,
      transform: item.transform,
    },
    outputs: { geometry: item.geometry },
    solve: ({ geometry, transform }, context) => ({
      geometry: findMoved(geometry, transform, context) ?? null,
    }),
  }),
  defineKind({
    guid: '874eebe7-835b-4f4f-9811-97e031c41597',
    description: 'Combines objects into a group.',
    inputs: { objects: list.geometry },
    outputs: { group: item.group },
    solve: ({ objects }) => ({ group: { type: 'group', members: present(objects) } }),
  }),
  defineKind({
    guid: 'a45f59c8-11c1-4ea7-9e10-847061b80d75',
    description: 'The objects of a group.',
    inputs: { group: item.group },
    outputs: { objects: list.geometry },
    solve: ({ group: { members } }, context) => {
      context.reserve(members.length)
      return { objects: members }
    },
  }),
]
