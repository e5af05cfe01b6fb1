import { LIBRARY, type PaletteKind } from '../../../api/palette-query.ts'

/** A family of kinds: their subcategory. */
export interface Family {
  name: string
  kinds: PaletteKind[]
}

export interface Tab {
  name: string
  families: Family[]
}

/** The tabs in the order of Grasshopper. The tabs of plug-ins follow them. */
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

/**
 * The kinds by tab and family. Families and kinds keep their order. Library items of the team are in the tab that they name,
 * and all of them in the last tab.
 */
export function listTabs(kinds: readonly PaletteKind[], items: readonly PaletteKind[] = []): Tab[] {
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  const inTabs = items.filter(({ category }) => category !== LIBRARY)
  const tabs = [...Map.groupBy([...kinds, ...inTabs], ({ category }) => category)]
    .map(([name, own]) => ({
      name,
      families: listFamilies(own, ({ subcategory }) => subcategory),
    }))
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name))
  return items.length > 0 ? [...tabs, { name: LIBRARY, families: listItemFamilies(items) }] : tabs
}

/** Groups all library items by the place that they name. */
export const listItemFamilies = (items: readonly PaletteKind[]): Family[] =>
  listFamilies(items, ({ category, subcategory }) =>
    category === LIBRARY ? subcategory : `${category} · ${subcategory}`,
  ).sort((a, b) => a.name.localeCompare(b.name))

const listFamilies = (kinds: readonly PaletteKind[], nameOf: (kind: PaletteKind) => string): Family[] =>
  [...Map.groupBy(kinds, nameOf)].map(([name, own]) => ({ name, kinds: own }))

/** The number of kinds that are remembered as the last ones inserted. */
const MAX_RECENT = 8

/** The list of the kinds that were inserted last, the latest first. */
export const addRecent = (recent: readonly string[], templateId: string): string[] =>
  [templateId, ...recent.filter((other) => other !== templateId)].slice(0, MAX_RECENT)
