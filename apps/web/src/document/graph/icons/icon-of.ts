import { findCanvasObject, findComponent, findParameterType, findScript, type Icon } from '@meadow/document'
import { GLYPHS, SIGNS } from './glyphs.data.ts'

/** A part of an icon: a path, or a text. */
export type IconPart = (IconPath | IconText) & {
  /** The second tone distinguishes what a kind does from what it works with. */
  tone: 'first' | 'second'
  scale?: number
}

interface IconPath {
  path: string
  fill: 'none' | 'solid' | 'pale'
}

interface IconText {
  text: string
  x: number
  y: number
  size: number
}

/** The scale of a glyph that leaves room for a sign. */
const BESIDE_SIGN = 0.78

const icons = new Map<string, readonly IconPart[]>()

/** Returns the icon of a class, in a square of 24 by 24. Unknown classes have the icon of a plug-in. */
export function iconOf(templateId: string): readonly IconPart[] {
  const guid = templateId.toLowerCase()
  const known = icons.get(guid)
  if (known) return known
  const icon = draw(findIcon(guid) ?? 'plugin')
  icons.set(guid, icon)
  return icon
}

function findIcon(guid: string): Icon | undefined {
  const kind = findComponent(guid) ?? findParameterType(guid) ?? findCanvasObject(guid)
  return kind?.icon ?? (findScript(guid) ? 'script' : undefined)
}

function draw(declared: Icon): readonly IconPart[] {
  const [glyph = '', sign] = declared.split(' ')
  const scale = sign === undefined ? {} : { scale: BESIDE_SIGN }
  return [
    ...(glyph.startsWith('"') ? [writeText(glyph.slice(1))] : readPaths(GLYPHS[glyph], 'first')).map(
      (part) => ({ ...part, ...scale }),
    ),
    ...(sign === undefined
      ? []
      : sign.startsWith("'")
        ? [writeSign(sign.slice(1))]
        : readPaths(SIGNS[sign], 'second')),
  ]
}

const MARKS: Readonly<Record<string, Pick<IconPart, 'tone'> & Pick<IconPath, 'fill'>>> = {
  '@': { tone: 'second', fill: 'none' },
  '#': { tone: 'first', fill: 'solid' },
  '%': { tone: 'second', fill: 'pale' },
}
const CIRCLE = /^o\(([\d.]+),([\d.]+),([\d.]+)\)$/

/** Reads paths, which are separated by a space in front of a mark, a move or a circle. */
function readPaths(text: string | undefined, base: IconPart['tone']): IconPart[] {
  if (text === undefined) throw new Error('An icon names a drawing that does not exist.')
  return text.split(/ (?=[@#%]?(?:M|o\())/).map((part) => {
    const mark = MARKS[part[0] ?? '']
    const path = mark ? part.slice(1) : part
    const tone = base === 'second' ? base : (mark?.tone ?? base)
    return { path: readCircle(path), tone, fill: mark?.fill ?? 'none' }
  })
}

function readCircle(path: string): string {
  const [, x, y, r] = (CIRCLE.exec(path) ?? []).map(Number)
  if (x === undefined || y === undefined || r === undefined) return path
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
}

/** Returns a text that is as large as fits. */
const writeText = (text: string): IconPart => ({
  text,
  tone: 'first',
  x: 12,
  y: 12,
  size: Math.min(17, 30 / [...text].length),
})

const writeSign = (text: string): IconPart => ({
  text,
  tone: 'second',
  x: 18,
  y: 18.5,
  size: [9.5, 9.5, 8, 7][Math.min(3, [...text].length)]!,
})
