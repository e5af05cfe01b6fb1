import type { PaletteKind, PalettePort } from '../../../api/palette-query.ts'

/** A kind of node to add, and how its slider or panel is set up. */
export interface PaletteChoice {
  kind: PaletteKind
  /** The kind's name, or the setup: "Slider 0 < 5 < 10". */
  label: string
  setup?: { slider: SliderSetup } | { panelText: string }
}

export interface SliderSetup {
  minimum: number
  value: number
  maximum: number
  decimals: number
}

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const MAX_FOUND = 30

/** The kinds that match the typed text, best first. As in Grasshopper, `0<5<10` or `7` is a slider, `"text` a panel. */
export function searchPalette(kinds: readonly PaletteKind[], typed: string): PaletteChoice[] {
  const text = typed.trim()
  const shortcut = readShortcut(kinds, text)
  const found = searchKinds(kinds, text)
    .slice(0, MAX_FOUND)
    .map((kind) => ({ kind, label: kind.name }))
  return shortcut ? [shortcut, ...found] : found
}

/** All kinds that match the typed text, best first. */
export function searchKinds(kinds: readonly PaletteKind[], typed: string): PaletteKind[] {
  const query = readQuery(typed.trim())
  return kinds
    .map((kind) => ({ kind, rank: rankOf(kind, query), commonness: findCommonness(kind) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        a.commonness - b.commonness ||
        a.kind.name.length - b.kind.name.length ||
        a.kind.name.localeCompare(b.kind.name),
    )
    .map(({ kind }) => kind)
}

/** Signs that stand for a kind. */
const SIGNS: Readonly<Record<string, string>> = {
  '+': 'addition',
  '-': 'subtraction',
  '*': 'multiplication',
  '/': 'division',
  '%': 'modulus',
  '^': 'power',
  '=': 'equality',
  '>': 'larger than',
  '<': 'smaller than',
  '&': 'gate and',
  '|': 'gate or',
  '!': 'gate not',
}

/** Returns a text in lower case, with Grasshopper's spelling, or what a sign stands for. */
function readQuery(text: string): string {
  const low = text.toLowerCase()
  return SIGNS[low] ?? low.replaceAll('color', 'colour').replaceAll('centre', 'center')
}

/**
 * Returns the rank of a kind: lower is better, and infinity means no match. Kinds of one rank are sorted by how common
 * they are.
 */
function rankOf({ name, nickName, category, subcategory, description }: PaletteKind, query: string): number {
  if (query === '') return 0
  const [lowName, lowNick] = [name.toLowerCase(), nickName.toLowerCase()]
  if (lowName === query) return 0
  if (lowNick === query || lowName.startsWith(query)) return 1
  if (lowNick.startsWith(query) || lowName.includes(` ${query}`)) return 2
  const tab = `${category} ${subcategory}`.toLowerCase()
  const words = query.split(/\s+/)
  if (words.length > 1 && words.every((word) => startsAWord(`${lowName} ${lowNick} ${tab}`, word))) return 3
  if (lowName.includes(query)) return 4
  if (isSpreadIn(query, lowName)) return 5
  if (startsAWord(tab, query)) return 6
  return query.length > 2 && description.toLowerCase().includes(query) ? 7 : Number.POSITIVE_INFINITY
}

const startsAWord = (text: string, word: string): boolean => ` ${text}`.includes(` ${word}`)

/**
 * The kinds that stand in most definitions, the most common first, by their tab.
 * Source: counts in about a hundred public definitions, and the order of the first seventy in several hundred.
 */
const COMMON: Readonly<Record<string, string>> = {
  Params:
    'Number Slider, Panel, Curve, Boolean Toggle, Point, Button, Mesh, Number, Brep, Value List, Integer, Colour Swatch, Line, Relay, Plane, Geometry, Text, Data, Surface, Gradient, Vector, Boolean, Box, Circle, MD Slider, Graph Mapper, Gene Pool',
  Sets: 'List Item, Merge, List Length, Series, Graft Tree, Dispatch, Range, Sort List, Flatten Tree, Stream Filter, Flip Matrix, Entwine, Cull Pattern, Cull Index, Tree Branch, Shift List, Duplicate Data, Random, Split List, Replace Items, Explode Tree, Weave, Reverse List, Trim Tree, Partition List',
  Maths:
    'Addition, Division, Multiplication, Subtraction, Bounds, Negative, Remap Numbers, Construct Domain, Mass Addition, Deconstruct Domain, Expression, Average, Equality, Smaller Than, Larger Than, Pi, Radians, Absolute, Divide Domain, Divide Domain², Round, Sine, Cosine',
  Vector:
    'Construct Point, Unit Z, XY Plane, Deconstruct, Unit X, Unit Y, Amplitude, Vector 2Pt, Distance, XZ Plane, Construct Plane, YZ Plane, Deconstruct Plane, Plane Origin, Vector XYZ, Closest Point, Angle, Square, Hexagonal',
  Curve:
    'Line, PolyLine, End Points, Explode, Divide Curve, Rectangle, Circle, Length, Join Curves, Line SDL, Offset Curve, Control Points, Interpolate, Evaluate Curve, Curve Middle, Nurbs Curve, Extend Curve, Flip Curve, Polygon, Arc, Perp Frames, Evaluate Length',
  Surface:
    'Extrude, Loft, Boundary Surfaces, Area, Bounding Box, Deconstruct Brep, Pipe, Box 2Pt, Evaluate Surface, Volume, Brep Edges, Center Box, Plane Surface, Isotrim, Cap Holes',
  Mesh: 'Deconstruct Mesh, Construct Mesh, Mesh Join, Mesh Brep, Mesh Colours, Mesh Edges, Weld Mesh, Delaunay Mesh',
  Transform: 'Move, Rotate, Scale, Orient, Mirror, Rotate 3D, Rotate Axis, Linear Array, Project',
  Intersect: 'Solid Difference, Solid Union, Region Union, Curve | Curve, Brep | Plane, Contour',
  Display: 'Custom Preview, Vector Display, Text Tag, Cloud Display, Quick Graph',
}

/** The place of common kinds in their tab. */
export const COMMONNESS: ReadonlyMap<string, number> = new Map(
  Object.entries(COMMON).flatMap(([category, names]) =>
    names.split(', ').map((name, index) => [`${category}/${name}`, index] as const),
  ),
)

const findCommonness = ({ category, name }: PaletteKind): number =>
  COMMONNESS.get(`${category}/${name}`) ?? COMMONNESS.size

/** The names of ports in a line: `Curve, Count, Kinks`. */
export function describePorts(ports: readonly PalettePort[]): string {
  return ports.map(({ name, isRepeated }) => (isRepeated ? `${name} …` : name)).join(', ')
}

/** Whether the text has the characters in this order, the first at the start of a word: `cdom`, Construct Domain. */
function isSpreadIn(characters: string, text: string): boolean {
  let position = -1
  for (const [index, character] of [...characters].entries()) {
    position = text.indexOf(character, position + 1)
    if (position < 0 || (index === 0 && position > 0 && text[position - 1] !== ' ')) return false
  }
  return characters.length > 1
}

function readShortcut(kinds: readonly PaletteKind[], text: string): PaletteChoice | undefined {
  const kindOf = (templateId: string) => kinds.find((kind) => kind.templateId === templateId)
  const [slider, panel] = [kindOf(SLIDER), kindOf(PANEL)]
  const setup = readSlider(text)
  if (setup && slider) {
    const { minimum, value, maximum } = setup
    return { kind: slider, label: `Slider ${minimum} < ${value} < ${maximum}`, setup: { slider: setup } }
  }
  const quoted = /^(?:"|\/\/)(.*)$/s.exec(text)?.[1]
  if (quoted !== undefined && panel) {
    const panelText = quoted.replace(/"$/, '').trim()
    return { kind: panel, label: `Panel “${panelText}”`, setup: { panelText } }
  }
  return undefined
}

const NUMBER = String.raw`[-+]?\d+(?:\.\d+)?`
const SLIDER_NOTATION = new RegExp(
  String.raw`^(?:(?<low>${NUMBER})\s*(?:<|\.\.)\s*)?(?<value>${NUMBER})(?:\s*(?:<|\.\.)\s*(?<high>${NUMBER}))?$`,
)

/** Reads `7`, `0..10`, `0<5` or `0<5<10`, with as many decimals as were typed. */
export function readSlider(text: string): SliderSetup | undefined {
  const groups = SLIDER_NOTATION.exec(text.trim())?.groups
  if (!groups?.value) return undefined
  const { low, value, high } = groups
  const decimals = Math.max(...[low, value, high].map((part) => part?.split('.')[1]?.length ?? 0))
  const middle = Number(value)
  // `0<10` has both ends.
  const [minimum, maximum] = [
    low === undefined ? Math.min(0, middle) : Number(low),
    high === undefined ? defaultEnd(middle, low !== undefined) : Number(high),
  ]
  const start = high === undefined && low !== undefined ? minimum : middle
  if (!(minimum < maximum) || start < minimum || start > maximum) return undefined
  return { minimum, value: start, maximum, decimals }
}

/**
 * Returns the end of a slider that was not typed. As in Grasshopper, a single number creates a slider up to the next
 * power of ten.
 */
function defaultEnd(value: number, isEnd: boolean): number {
  if (isEnd) return value
  if (value <= 0) return Math.max(0, value) + 1
  return 10 ** Math.max(0, Math.ceil(Math.log10(value)))
}
