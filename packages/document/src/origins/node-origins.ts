import type { Node } from '@meadow/contract'
import { SCRIPTS } from '../component-library/canvas-objects.data.ts'
import { CLUSTER } from '../graph/node-state.ts'

/** What a file that is no document says about the object that it places. */
type PlacingFacts =
  | { kind: 'model' }
  | { kind: 'cluster'; name: string }
  | { kind: 'user_object'; name: string; componentId: string }

/**
 * What a node says about the user object or cluster file that it was placed from (decision record 0041). No node names
 * such a file for certain: it has the class and the name of the object, and a linked cluster has the path of a file.
 */
export function listNodeOrigins({
  templateId,
  name,
  state,
}: Pick<Node, 'templateId' | 'name' | 'state'>): string[] {
  const path = state?.kind === 'cluster' ? state.path : undefined
  return [...named(templateId, name), ...(typeof path === 'string' ? linked(path) : [])]
}

/** What nodes say that were placed from a file, or that have its name. Empty where authors do not name the nodes. */
export function listFileOrigins(fileName: string, facts: PlacingFacts): string[] {
  switch (facts.kind) {
    case 'model':
      return []
    case 'cluster':
      return [...named(CLUSTER, facts.name), ...linked(fileName)]
    case 'user_object':
      return named(facts.componentId, facts.name)
  }
}

/** The classes of objects that have the name that their authors gave them. */
const CLASSES: ReadonlySet<string> = new Set([CLUSTER, ...SCRIPTS.map(([guid]) => guid)])

/** The names of objects that nobody has named. GhPython calls its own so in some versions. */
const UNNAMED: ReadonlySet<string> = new Set([
  'cluster',
  'python script',
  ...SCRIPTS.map(([, name]) => name.toLowerCase()),
])

function named(classId: string, name: string): string[] {
  const id = classId.toLowerCase()
  const text = name.trim()
  if (!CLASSES.has(id) || text === '' || UNNAMED.has(text.toLowerCase())) return []
  return [clean(`${id} ${text}`)]
}

/** The name of a file, from a path of either system; file systems of Windows ignore case. */
function linked(path: string): string[] {
  const name = path.split(/[\\/]/).at(-1)!.toLowerCase()
  return name === '' ? [] : [clean(`${FILE}${name}`)]
}

const FILE = 'file '

/** Whether an origin is the name of the file that a cluster is linked to. */
export const isFileName = (origin: string): boolean => origin.startsWith(FILE)

const MAX_LENGTH = 200

/** Makes a text acceptable to databases. */
const clean = (text: string): string =>
  text.replaceAll('\0', '').toWellFormed().slice(0, MAX_LENGTH).toWellFormed()
