import { type Change, type Difference, describeChange, type LayoutChange } from '@meadow/diff'
import { count } from '../../shell/count.ts'
import { type LocatedChange, locateChange } from './locate-change.ts'

/** The headings of the list of changes, in order. */
export const CATEGORIES = {
  added: 'Added',
  removed: 'Removed',
  replaced: 'Replaced',
  values: 'Values and settings',
  scripts: 'Scripts',
  wires: 'Wires',
  nodes: 'Names and switches',
  ports: 'Inputs and outputs',
  clusters: 'Clusters',
  groups: 'Groups',
  layout: 'Layout',
} as const
export type Category = keyof typeof CATEGORIES

const CATEGORY_OF: Record<(Change | LayoutChange)['kind'], Category> = {
  node_added: 'added',
  node_removed: 'removed',
  node_replaced: 'replaced',
  node_renamed: 'nodes',
  node_enabled: 'nodes',
  node_previewed: 'nodes',
  port_added: 'ports',
  port_removed: 'ports',
  ports_reordered: 'ports',
  port_renamed: 'ports',
  port_flags: 'ports',
  port_changed: 'ports',
  wire_added: 'wires',
  wire_removed: 'wires',
  wire_replaced: 'wires',
  wires_reordered: 'wires',
  values_changed: 'values',
  settings_changed: 'values',
  other_settings: 'values',
  script_changed: 'scripts',
  cluster_changed: 'clusters',
  group_added: 'groups',
  group_removed: 'groups',
  group_renamed: 'groups',
  group_members: 'groups',
  pin_added: 'ports',
  pin_removed: 'ports',
  pins_reordered: 'ports',
  node_moved: 'layout',
  node_look: 'layout',
  node_recreated: 'layout',
  wires_look: 'layout',
  group_colour: 'layout',
  groups_reordered: 'layout',
}

/** A change as the list shows it. */
export interface ListedChange {
  /** The number of the change in the list, from 0 on. */
  index: number
  change: Change | LayoutChange
  category: Category
  /** What happened, in a line. */
  text: string
  located: LocatedChange
}

/**
 * Lists the changes by category, in their own order within each. Changes of the layout come last, if they are asked
 * for.
 */
export function listChanges({ changes, layout }: Difference, withLayout: boolean): ListedChange[] {
  const all = [...changes, ...(withLayout ? layout : [])]
  const order = Object.keys(CATEGORIES) as Category[]
  return all
    .map((change) => ({ change, category: CATEGORY_OF[change.kind] }))
    .sort((a, b) => order.indexOf(a.category) - order.indexOf(b.category))
    .map((one, index) => ({
      ...one,
      index,
      text: describeChange(one.change),
      located: locateChange(one.change),
    }))
}

/** The words for how many changes of a category there are. Those of the other categories are counted together. */
const WORDS: Partial<Record<Category, (number: number) => string>> = {
  added: (number) => `+${count(number, 'node')}`,
  removed: (number) => `−${count(number, 'node')}`,
  replaced: (number) => `${count(number, 'node')} replaced`,
  values: (number) => count(number, 'value'),
  scripts: (number) => count(number, 'script'),
  wires: (number) => count(number, 'wire'),
}

/** Counts what differs, without what is zero: "+2 nodes, 3 values, 1 wire, 4 nodes moved". Empty when nothing differs. */
export function countDifference({ changes, layout }: Difference): string {
  const words = Object.entries(WORDS)
  const numberOf = (category: string) => changes.filter(({ kind }) => CATEGORY_OF[kind] === category).length
  const moved = layout.filter(({ kind }) => kind === 'node_moved').length
  const others = [...changes, ...layout].filter(({ kind }) => !(CATEGORY_OF[kind] in WORDS)).length - moved
  return [
    ...words.map(([category, tell]) => ({ number: numberOf(category), tell })),
    { number: moved, tell: (number: number) => `${count(number, 'node')} moved` },
    { number: others, tell: (number: number) => count(number, 'other change') },
  ]
    .flatMap(({ number, tell }) => (number > 0 ? [tell(number)] : []))
    .join(', ')
}
