import type { DataValue } from '@meadow/contract'
import type { PortSummary } from '@meadow/contract/web'
import { LOOK } from '../scene/looks.ts'
import { formatNumber, measureValue } from '../scene/measures.ts'
import type { SceneValues } from '../scene/scene-values.ts'
import type { ColourChoice } from './colour-choice.ts'
import { type MatchedData, type MatchMethod, matchValues } from './match-values.ts'
import {
  colourOfCategory,
  createRamp,
  MAX_CATEGORIES,
  NO_VALUE,
  OTHER_CATEGORIES,
  packColour,
} from './scales.ts'

export interface ColourContext {
  choice: ColourChoice
  /** The data of the port that objects are coloured by; undefined while it is loaded. */
  data: MatchedData | undefined
  /** The counts of a port's whole tree; undefined where they are not known. */
  summaryOf: (nodeInstanceId: string, portInstanceId: string) => PortSummary | undefined
  nameNode: (nodeInstanceId: string) => string
  /** The unit of lengths. */
  unit: string
}

/** Objects of one colour. */
export interface Category {
  name: string
  colour: string
  /** The numbers of the objects in the scene. */
  numbers: number[]
  /** How many categories it stands for. */
  count: number
}

/** How the objects of one port got their values. */
export interface PortMatch {
  nodeInstanceId: string
  portInstanceId: string
  method: MatchMethod
  /** How many objects have a value, and how many there are. */
  known: number
  objects: number
}

/** The colours of a scene's objects, and what they mean. */
export interface Coloured {
  /** `0xrrggbbff` for each value of the scene. */
  colours: Uint32Array
  /** The scale, if objects are coloured by numbers. */
  scale: { min: number; max: number; domain: readonly [number, number]; unit: string } | undefined
  /** The categories, if objects are coloured by texts or other names; the most frequent one comes first. */
  categories: readonly Category[]
  /** How many objects have a value, and how many have none. */
  known: number
  unknown: number
  /** How the objects of ports got their values; empty unless objects are coloured by a port. */
  matches: readonly PortMatch[]
  /** What a value of the scene is coloured by; undefined without a value. */
  keyOf: (number: number) => number | string | undefined
  /** Describes a key in words, with the unit. */
  describe: (key: number | string) => string
}

/** Counts only the objects that are not hidden. Colours, and the ends of the scale, stay those of all objects. */
export function countShown(coloured: Coloured, values: SceneValues, looks: Uint8Array): Coloured {
  let [known, unknown] = [0, 0]
  for (let number = 0; number < values.count; number++) {
    if (looks[number] === LOOK.hidden || !isObject(values, number)) continue
    if (coloured.keyOf(number) === undefined) unknown++
    else known++
  }
  const categories = coloured.categories
    .map((category) => ({
      ...category,
      numbers: category.numbers.filter((number) => looks[number] !== LOOK.hidden),
    }))
    .filter(({ numbers }) => numbers.length > 0)
  return { ...coloured, categories, known, unknown }
}

/** Whether there is something to see of a value. */
const isObject = ({ boxes }: SceneValues, number: number): boolean =>
  boxes[6 * number]! <= boxes[6 * number + 3]!

type Key = number | string | undefined

/** With more branches than this, paths are coloured by the number of the branch. */
const MAX_PATHS = MAX_CATEGORIES

export function colourValues(values: SceneValues, context: ColourContext): Coloured {
  const { choice, unit } = context
  const keys: Key[] = new Array(values.count)
  const matches = fillKeys(values, context, keys)
  let [known, unknown] = [0, 0]
  let areNumbers = choice.scale !== 'categories' || choice.by === 'length' || choice.by === 'area'
  for (let number = 0; number < values.count; number++) {
    if (!isObject(values, number)) {
      keys[number] = undefined
      continue
    }
    const key = keys[number]
    if (key === undefined) unknown++
    else known++
    if (typeof key === 'string') areNumbers = false
  }
  const painted = areNumbers && known > 0 ? paintScale(keys, choice) : paintCategories(keys, context)
  const scale = painted.scale && {
    ...painted.scale,
    unit: choice.by === 'length' ? unit : choice.by === 'area' && unit ? `${unit}²` : '',
  }
  return {
    ...painted,
    scale,
    known,
    unknown,
    matches,
    keyOf: (number) => keys[number],
    describe: (key) => `${nameKey(key, context)} ${scale?.unit ?? ''}`.trim(),
  }
}

/** Fills in what each value is coloured by. */
function fillKeys(values: SceneValues, context: ColourContext, keys: Key[]): PortMatch[] {
  const { choice, data, summaryOf } = context
  const matches: PortMatch[] = []
  const paths = choice.by === 'path' ? numberPaths(values) : undefined
  for (const port of values.ports) {
    const { first, count, branches, nodeInstanceId, portInstanceId } = port
    if (choice.by === 'port') {
      const summary = summaryOf(nodeInstanceId, portInstanceId)
      const found = data && matchValues(port, summary, data)
      let known = 0
      for (let i = 0; i < count; i++) {
        const key = toKey(found?.values[i])
        keys[first + i] = key
        if (key !== undefined) known++
      }
      if (found) matches.push({ nodeInstanceId, portInstanceId, method: found.method, known, objects: count })
      continue
    }
    let number = first
    for (const { path, values: length } of branches) {
      for (let index = 0; index < length; index++, number++) {
        if (choice.by === 'node') keys[number] = nodeInstanceId
        else if (choice.by === 'path') keys[number] = paths ? paths.get(path) : path
        else if (choice.by === 'index') keys[number] = index
        else if (choice.by === 'type') keys[number] = values.typeOf(number)
        else keys[number] = toMeasure(values, number, choice.by === 'length' ? 'Length' : 'Area')
      }
    }
  }
  return matches
}

/** Numbers the paths if there are too many for a colour each. */
function numberPaths({ ports }: SceneValues): Map<string, number> | undefined {
  const paths = new Set(ports.flatMap(({ branches }) => branches.map(({ path }) => path)))
  return paths.size > MAX_PATHS ? new Map([...paths].map((path, number) => [path, number])) : undefined
}

function toMeasure(values: SceneValues, number: number, what: 'Length' | 'Area'): number | undefined {
  const measure = measureValue(values, number)
  return measure?.what === what ? measure.amount : undefined
}

/** Returns the key of a number, or of what can be a name. Other values, such as points, have no colour. */
function toKey(value: DataValue | null | undefined): Key {
  switch (value?.type) {
    case 'number':
    case 'integer': {
      // NaN and infinite numbers have no place on a scale.
      const number = Number(value.value)
      return Number.isFinite(number) ? number : undefined
    }
    case 'boolean':
      return value.value ? 'True' : 'False'
    case 'string':
    case 'colour':
    case 'path':
      return String(value.value)
    default:
      return undefined
  }
}

type Painted = Pick<Coloured, 'colours' | 'categories'> & {
  scale: Omit<NonNullable<Coloured['scale']>, 'unit'> | undefined
}

function paintScale(keys: readonly Key[], choice: ColourChoice): Painted {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const key of keys) {
    if (typeof key !== 'number') continue
    if (key < min) min = key
    if (key > max) max = key
  }
  const domain = choice.domain ?? chooseDomain(min, max, choice)
  const ramp = createRamp(choice)
  const none = packColour(NO_VALUE)
  const span = domain[1] - domain[0]
  const colours = Uint32Array.from(keys, (key) =>
    typeof key === 'number' ? ramp(span > 0 ? (key - domain[0]) / span : 0.5) : none,
  )
  return { colours, categories: [], scale: { min, max, domain } }
}

/** Returns the domain of all numbers. A diverging scale has its middle at zero if numbers are on both sides of it. */
function chooseDomain(min: number, max: number, { scale }: ColourChoice): readonly [number, number] {
  const most = Math.max(-min, max)
  return scale === 'diverging' && min < 0 && max > 0 ? [-most, most] : [min, max]
}

function nameKey(key: number | string, { choice, nameNode }: ColourContext): string {
  if (typeof key === 'number') return formatNumber(key)
  return choice.by === 'node' ? nameNode(key) : key
}

function paintCategories(keys: readonly Key[], context: ColourContext): Painted {
  const groups = new Map<Key, number[]>()
  for (let number = 0; number < keys.length; number++) {
    const key = keys[number]
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(number)
    else groups.set(key, [number])
  }
  const sorted = [...groups].sort(([a, as], [b, bs]) => bs.length - as.length || compareKeys(a!, b!))
  const categories: Category[] = sorted.slice(0, MAX_CATEGORIES).map(([key, numbers], position) => ({
    name: nameKey(key!, context),
    colour: colourOfCategory(position),
    numbers,
    count: 1,
  }))
  const others = sorted.slice(MAX_CATEGORIES)
  if (others.length > 0)
    categories.push({
      name: `${others.length.toLocaleString()} others`,
      colour: OTHER_CATEGORIES,
      numbers: others.flatMap(([, numbers]) => numbers),
      count: others.length,
    })
  const colours = new Uint32Array(keys.length).fill(packColour(NO_VALUE))
  for (const { colour, numbers } of categories) {
    const packed = packColour(colour)
    for (const number of numbers) colours[number] = packed
  }
  return { colours, categories, scale: undefined }
}

const collator = new Intl.Collator('en', { numeric: true })
const compareKeys = (a: number | string, b: number | string) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
