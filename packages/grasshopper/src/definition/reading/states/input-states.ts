import type {
  ButtonState,
  ContextualState,
  GenePoolState,
  KnobState,
  MdSliderState,
  PluginLibrary,
  SliderState,
  ValueListState,
} from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, findItem, listItems } from '../../../archive/tree/find.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findSize } from '../../model/layout.ts'
import { findText, toFinite } from '../../model/text.ts'
import { findListMode, readListItems } from '../values/chosen-values.ts'
import type { Reading } from '../values/value-context.ts'
import { readInterval } from './data-states.ts'

const INTERVALS = ['real', 'integer', 'odd', 'even'] as const

export function readSliderState(object: DefinitionObject, reading: Reading): SliderState | undefined {
  const slider = findChunk(object.container, 'Slider')
  if (!slider) return undefined
  const size = findSize(object)
  const snaps = reading === 1 ? [] : listItems(slider, 'Snap', 'string').map((text) => text.toWellFormed())
  return {
    kind: 'slider',
    minimum: toFinite(findItem(slider, 'Min', 'double')),
    maximum: toFinite(findItem(slider, 'Max', 'double'), 1),
    decimals: findItem(slider, 'Digits', 'int32') ?? 3,
    interval: INTERVALS[findItem(slider, 'Interval', 'int32') ?? 0] ?? 'real',
    ...(snaps.length > 0 ? { snaps } : {}),
    ...(size ? { size } : {}),
  }
}

export function readMdSliderState(object: DefinitionObject): MdSliderState {
  const { container } = object
  const size = findSize(object)
  return {
    kind: 'mdSlider',
    x: readInterval(container, 'x_domain'),
    y: readInterval(container, 'y_domain'),
    z: readInterval(container, 'z_domain'),
    ...(size ? { size } : {}),
  }
}

export function readKnobState({ container }: DefinitionObject): KnobState | undefined {
  const dial = findChunk(container, 'DialData')
  return (
    dial && {
      kind: 'knob',
      minimum: readDecimal(dial, 'Minimum'),
      maximum: readDecimal(dial, 'Maximum'),
      decimals: findItem(dial, 'Decimals', 'int32') ?? 3,
      range: readDecimal(dial, 'Range'),
      isLimited: findItem(dial, 'Limit', 'bool') ?? false,
    }
  )
}

export function readGenePoolState({ container }: DefinitionObject): GenePoolState | undefined {
  const genes = findChunk(container, 'GeneData')
  return (
    genes && {
      kind: 'genePool',
      minimum: readDecimal(genes, 'Minimum'),
      maximum: readDecimal(genes, 'Maximum'),
      decimals: findItem(genes, 'Decimals', 'int32') ?? 3,
    }
  )
}

function readDecimal(chunk: Chunk, name: string): number {
  return Number(findItem(chunk, name, 'decimal') ?? 0)
}

/** Reads the state of a value list, which is recognised by its items, since plug-ins have value lists too. */
export function findValueListState(
  { container }: DefinitionObject,
  plugin: PluginLibrary | undefined,
): ValueListState | undefined {
  const mode = findListMode(container)
  return mode && { kind: 'valueList', mode, items: readListItems(container), ...(plugin && { plugin }) }
}

export function readButtonState({ container }: DefinitionObject): ButtonState {
  return {
    kind: 'button',
    normal: findText(container, 'ExpressionNormal') ?? 'False',
    pressed: findText(container, 'ExpressionPressed') ?? 'True',
  }
}

const NO_LIMIT = 2147483647

/** Reads the state of Get Number, Get Point …, which are recognised by their items. */
export function findContextualState({ container }: DefinitionObject): ContextualState | undefined {
  const prompt = findText(container, 'Prompt')
  const atLeast = findItem(container, 'AtLeast', 'int32')
  if (prompt === undefined || atLeast === undefined) return undefined
  const atMost = findItem(container, 'AtMost', 'int32') ?? NO_LIMIT
  const minimum = findLimit(container, 'Minimum')
  const maximum = findLimit(container, 'Maximum')
  return {
    kind: 'contextual',
    prompt,
    atLeast,
    ...(atMost === NO_LIMIT ? {} : { atMost }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    takesTree: findItem(container, 'TreeAccess', 'bool') ?? false,
    presets: readListItems(container),
  }
}

/** The largest numbers of either type represent no limit. */
function findLimit(container: Chunk, name: string): number | undefined {
  const limit = findItem(container, name, 'double') ?? findItem(container, name, 'int32')
  if (limit === undefined || !Number.isFinite(limit)) return undefined
  const isNone = Math.abs(limit) === Number.MAX_VALUE || limit === NO_LIMIT || limit === -NO_LIMIT - 1
  return isNone ? undefined : limit
}
