import type { PaletteKind } from '@meadow/contract/web'

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
  const query = text.toLowerCase()
  const found = kinds
    .map((kind) => ({ kind, rank: rankOf(kind, query) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank || a.kind.name.localeCompare(b.kind.name))
    .slice(0, MAX_FOUND)
    .map(({ kind }) => ({ kind, label: kind.name }))
  return shortcut ? [shortcut, ...found] : found
}

/** Lower is better; infinite for no match. */
function rankOf({ name, nickName, category, subcategory, description }: PaletteKind, query: string): number {
  if (query === '') return category === 'Params' ? 1 : 2
  const [lowName, lowNick] = [name.toLowerCase(), nickName.toLowerCase()]
  if (lowName === query || lowNick === query) return 0
  if (lowName.startsWith(query)) return 1
  if (lowNick.startsWith(query)) return 2
  if (lowName.includes(` ${query}`)) return 3
  if (lowName.includes(query)) return 4
  if (query.split(/\s+/).every((word) => lowName.includes(word))) return 5
  if (isSpreadIn(query, lowName)) return 6
  if (`${category} ${subcategory}`.toLowerCase().includes(query)) return 7
  return query.length > 2 && description.toLowerCase().includes(query) ? 8 : Number.POSITIVE_INFINITY
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

/** As in Grasshopper: a single number creates a slider up to the next power of ten. */
function defaultEnd(value: number, isEnd: boolean): number {
  if (isEnd) return value
  if (value <= 0) return Math.max(0, value) + 1
  return 10 ** Math.max(0, Math.ceil(Math.log10(value)))
}
