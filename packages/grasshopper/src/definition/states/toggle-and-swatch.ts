import { createItem, setItem } from '../../archive/tree/edit.ts'
import { findItem } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { findColour, formatColour } from '../model/colour.ts'
import type { StateKind } from './state-kind.ts'

/* These have a chosen value and no other state. */

export const TOGGLE: StateKind = {
  classes: [CLASS.booleanToggle],
  choose: (container) => [{ type: 'boolean', value: findItem(container, 'ToggleValue', 'bool') ?? false }],
  write({ container }, { values }) {
    const [value] = values ?? []
    if (value?.type === 'boolean') setItem(container, 'bool', 'ToggleValue', value.value === true)
  },
  create: () => [createItem('bool', 'ToggleValue', false)],
}

const WHITE = 0xffffffff

export const SWATCH: StateKind = {
  classes: [CLASS.colourSwatch],
  choose(container) {
    const colour = findItem(container, 'SwatchColor', 'drawing_color')
    return colour === undefined ? [] : [{ type: 'colour', value: formatColour(colour) }]
  },
  write({ container }, { values }) {
    const [value] = values ?? []
    const colour = value?.type === 'colour' ? findColour(value.value) : undefined
    if (colour !== undefined) setItem(container, 'drawing_color', 'SwatchColor', colour)
  },
  create: () => [createItem('drawing_color', 'SwatchColor', WHITE)],
}
