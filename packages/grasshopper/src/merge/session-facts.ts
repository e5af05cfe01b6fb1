import type { Chunk, Item } from '../archive/tree/archive.ts'

/** Facts of the last session rather than of the definition, by their chunk: ours are as good as theirs. */
const OF_SESSION: Readonly<Record<string, readonly string[]>> = {
  Definition: ['plugin_version'],
  Root: ['ArchiveVersion'],
  DefinitionProperties: ['Date', 'Name', 'KeepOpen'],
  Projection: ['Target', 'Zoom'],
  Thumbnail: ['Thumbnail'],
  DocumentHeader: ['DocumentID', 'Preview', 'PreviewMeshType', 'PreviewNormal', 'PreviewSelected'],
  Library: ['AssemblyFullName', 'AssemblyVersion', 'Version', 'Author', 'Name'],
  // Grasshopper computes the Bounds when it opens a file. The Pivot is where the user put the object.
  Attributes: ['Bounds', 'Selected'],
  ScriptEditor: ['StartBounds'],
  Container: ['EditorSize', 'EditorLocation'],
}

/** The value of a fact that is not worth a conflict; undefined if the fact is one of the definition. */
export function chooseAnyway(chunk: Chunk, ours: Item, theirs: Item): Item | undefined {
  if (ours.name === 'Pivot' && chunk.name === 'Attributes' && 'isRelative' in ours) return ours
  if (!OF_SESSION[chunk.name]?.includes(ours.name)) return undefined
  if (ours.type === 'date' && theirs.type === 'date') return theirs.value > ours.value ? theirs : ours
  if (ours.type === 'version' && theirs.type === 'version')
    return isNewer(theirs.value, ours.value) ? theirs : ours
  return ours
}

type Version = Extract<Item, { type: 'version' }>['value']

const isNewer = (a: Version, b: Version): boolean =>
  (a.major - b.major || a.minor - b.minor || a.revision - b.revision) > 0
