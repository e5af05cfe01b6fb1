import { createItem } from '../../archive/tree/edit.ts'
import { CLASS } from '../model/class-ids.ts'
import { bounds, flag, int32, readFields, readSize, text, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const FIELDS = {
  path: text('FilePath'),
  filter: text('Filter', 'Colour'),
  wrap: int32('Wrap'),
  interpolates: flag('Interpolate'),
  u: bounds('Umin', 'Umax'),
  v: bounds('Vmin', 'Vmax'),
}

export const IMAGE_SAMPLER: StateKind = {
  kind: 'imageSampler',
  classes: [CLASS.imageSampler],
  read: (object) => ({
    kind: 'imageSampler',
    ...readFields(object.container, FIELDS),
    ...readSize(object),
  }),
  write: ({ container }, change) => writeFields(container, FIELDS, change),
  create: () => [
    createItem('bool', 'AutoUpdate', true),
    createItem('string', 'FilePath', ''),
    createItem('string', 'Filter', 'Colour'),
    createItem('string', 'ImagePath', ''),
    createItem('bool', 'Interpolate', false),
    createItem('bool', 'SaveInFile', false),
    createItem('int32', 'Wrap', 0),
    ...Object.entries({ Umin: 0, Umax: 1, Vmin: 0, Vmax: 1 }).map(([name, value]) =>
      createItem('double', name, value),
    ),
  ],
}
