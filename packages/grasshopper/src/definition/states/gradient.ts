import type { Node } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem, ensureChunk, setChunks, setItem } from '../../archive/tree/edit.ts'
import { findChunk, findItem, listChunks } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toList, toNumber, toRecord } from '../model/coerce.ts'
import { findColour, formatColour } from '../model/colour.ts'
import { stableGuid } from '../model/stable-guid.ts'
import { toFinite } from '../model/text.ts'
import { flag, readFields, writeFields } from './fields.ts'
import type { Parts, StateKind } from './state-kind.ts'

const FIELDS = { isLinear: flag('Linear') }
const BLACK = 0xff000000
const GREEN = 0xff008000
const YELLOW = 0xffffff00
const RED = 0xffff0000

export const GRADIENT: StateKind = {
  kind: 'gradient',
  classes: [CLASS.gradient],
  read({ container }) {
    const gradient = findChunk(container, 'Gradient')
    const grips = gradient ? listChunks(gradient, 'Grip') : []
    return {
      kind: 'gradient',
      ...readFields(gradient, FIELDS),
      grips: grips.map((grip) => ({
        position: toFinite(findItem(grip, 'Factor', 'double')),
        left: formatColour(findItem(grip, 'Colour', 'drawing_color', 0) ?? BLACK),
        right: formatColour(findItem(grip, 'Colour', 'drawing_color', 1) ?? BLACK),
      })),
    }
  },
  /** Existing grips keep their ids. */
  write({ container, instanceId }, change) {
    const gradient = ensureChunk(container, 'Gradient')
    writeFields(gradient, FIELDS, change)
    change.member('grips', (grips) => {
      const earlier = listChunks(gradient, 'Grip')
      const chunks = toList(grips).map((grip, i) => {
        const { position, left, right } = toRecord(grip)
        const id =
          (earlier[i] && findItem(earlier[i], 'Id', 'guid')) ?? stableGuid('grip', instanceId, String(i))
        return createGrip(findColour(left) ?? BLACK, findColour(right) ?? BLACK, toNumber(position), id)
      })
      setChunks(gradient, 'Grip', chunks)
      setItem(gradient, 'int32', 'GripCount', chunks.length)
    })
  },
  create: (node) => createGradient(node, [GREEN, YELLOW, RED]),
}

/** Grips of one colour each, evenly spread. Source: unchanged gradients in public definitions. */
export function createGradient({ instanceId }: Node, colours: readonly number[]): Parts {
  const grips = colours.map((colour, i) =>
    createGrip(colour, colour, i / (colours.length - 1), stableGuid('grip', instanceId, String(i)), i),
  )
  return [
    createChunk('Gradient', [
      createItem('int32', 'GripCount', grips.length),
      createItem('bool', 'Linear', false),
      createItem('bool', 'Locked', false),
      ...grips,
    ]),
  ]
}

const createGrip = (left: number, right: number, position: number, id: string, index?: number): Chunk =>
  createChunk(
    'Grip',
    [
      createItem('drawing_color', 'Colour', left, 0),
      createItem('drawing_color', 'Colour', right, 1),
      createItem('double', 'Factor', position),
      createItem('guid', 'Id', id),
    ],
    index,
  )
