/** What the objects of the 3D view are coloured by. */
export type ColourBy = 'node' | 'path' | 'index' | 'type' | 'length' | 'area' | 'port'

export const SCALE_NAMES = ['viridis', 'cividis', 'diverging', 'categories'] as const
export type ScaleName = (typeof SCALE_NAMES)[number]

export interface ColourChoice {
  by: ColourBy
  /** The node whose port gives the colours, if `by` is `port`. */
  nodeInstanceId?: string
  portInstanceId?: string
  /** The scale for numbers. With `categories`, each number has a colour of its own. */
  scale: ScaleName
  isReversed: boolean
  /** The number of colours into which the scale is divided; 0 if it is not divided. */
  steps: number
  /** The ends of the scale; by default, they follow from the smallest and the largest number. */
  domain?: readonly [number, number]
}

export const DEFAULT_CHOICE: ColourChoice = { by: 'node', scale: 'viridis', isReversed: false, steps: 0 }

export const MAX_STEPS = 20

/** The name of the parameter in addresses. */
const PARAMETER = 'colour'

/** The choice as text for addresses and storage: `port.NODE.PORT~viridis~r~s5~d0,10`. */
export function writeChoice(choice: ColourChoice): string {
  const { by, nodeInstanceId, portInstanceId, scale, isReversed, steps, domain } = choice
  return [
    by === 'port' ? `port.${nodeInstanceId}.${portInstanceId}` : by,
    scale,
    ...(isReversed ? ['r'] : []),
    ...(steps > 0 ? [`s${steps}`] : []),
    ...(domain ? [`d${domain.join(',')}`] : []),
  ].join('~')
}

const BY = new Set<string>(['node', 'path', 'index', 'type', 'length', 'area'] satisfies ColourBy[])

/** Reads a choice; returns undefined for other text. */
export function readChoice(text: string | null | undefined): ColourChoice | undefined {
  const [by = '', scale, ...options] = (text ?? '').split('~')
  const [isPort, nodeInstanceId, portInstanceId] = by.split('.')
  const choice: ColourChoice = { ...DEFAULT_CHOICE }
  if (BY.has(by)) choice.by = by as ColourBy
  else if (isPort === 'port' && nodeInstanceId && portInstanceId)
    Object.assign(choice, { by: 'port', nodeInstanceId, portInstanceId })
  else return undefined
  if (SCALE_NAMES.some((name) => name === scale)) choice.scale = scale as ScaleName
  for (const option of options) {
    if (option === 'r') choice.isReversed = true
    else if (/^s\d+$/.test(option)) choice.steps = Math.min(Number(option.slice(1)), MAX_STEPS)
    else if (option.startsWith('d')) {
      const [min, max] = option.slice(1).split(',').map(Number)
      if (min! < max!) choice.domain = [min!, max!]
    }
  }
  return choice
}

const keyOf = (documentId: string) => `meadow.colour.${documentId}`

/** Returns the choice of the address, otherwise the last one of this document in this browser. */
export function recallChoice(documentId: string): ColourChoice | undefined {
  const sent = readChoice(new URLSearchParams(location.search).get(PARAMETER))
  if (sent) return sent
  try {
    return readChoice(localStorage.getItem(keyOf(documentId)))
  } catch {
    return undefined
  }
}

export function storeChoice(documentId: string, choice: ColourChoice | undefined): void {
  try {
    if (choice) localStorage.setItem(keyOf(documentId), writeChoice(choice))
    else localStorage.removeItem(keyOf(documentId))
  } catch {
    // Storage may be full or forbidden: the choice holds until the page is reloaded.
  }
}

/** The address of this page with the choice, to be sent to others. */
export function addressWith(choice: ColourChoice): string {
  const address = new URL(location.href)
  address.searchParams.set(PARAMETER, writeChoice(choice))
  return address.href
}
