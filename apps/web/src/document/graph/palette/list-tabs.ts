import type { PaletteKind } from '../../../api/palette-query.ts'

/** A family of kinds: their subcategory. */
export interface Family {
  name: string
  kinds: PaletteKind[]
}

export interface Tab {
  name: string
  families: Family[]
}

/** In the order of Grasshopper. Tabs of plug-ins follow. */
const ORDER = [
  'Params',
  'Maths',
  'Sets',
  'Vector',
  'Curve',
  'Surface',
  'Mesh',
  'Intersect',
  'Transform',
  'Display',
]

/** The kinds by tab and family. Families and kinds keep their order. */
export function listTabs(kinds: readonly PaletteKind[]): Tab[] {
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  return [...Map.groupBy(kinds, ({ category }) => category)]
    .map(([name, own]) => ({
      name,
      families: [...Map.groupBy(own, ({ subcategory }) => subcategory)].map(([family, kinds]) => ({
        name: family,
        kinds,
      })),
    }))
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name))
}

/** How many are remembered. */
const MAX_RECENT = 8

/** The list of the kinds that were placed last, the latest first. */
export const addRecent = (recent: readonly string[], templateId: string): string[] =>
  [templateId, ...recent.filter((other) => other !== templateId)].slice(0, MAX_RECENT)
