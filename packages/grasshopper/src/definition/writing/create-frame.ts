import type { Archive } from '../../archive/tree/archive.ts'
import { createChunk, createItem, sortItems } from '../../archive/tree/edit.ts'
import type { ArchiveForm } from '../../archive/write-archive.ts'
import { toInt32, toText } from '../model/coerce.ts'
import { toTicks } from '../model/date.ts'
import { stableGuid } from '../model/stable-guid.ts'
import { isOfRhino8 } from '../states/script.ts'
import type { DefinitionDocument } from './written-definition.ts'

/** The date of a document without one. */
const NO_DATE = '2000-01-01T00:00:00.000Z'
/** The default colours of a canvas, 0xAARRGGBB. */
const PREVIEW_COLOUR = 0x64960000
const SELECTED_COLOUR = 0x64009600

/** A definition without objects, as Grasshopper 1 writes it. */
export function createFrame(document: DefinitionDocument, form: ArchiveForm): Archive {
  const { id, name, updatedAt } = document
  const root = createChunk('Root', [
    createItem('version', 'ArchiveVersion', { major: 0, minor: 2, revision: 2 }),
    createChunk('Definition', [
      createItem('version', 'plugin_version', findPluginVersion(document)),
      createChunk('DocumentHeader', [
        createItem('guid', 'DocumentID', stableGuid('document', id ?? name)),
        createItem('string', 'Preview', 'Shaded'),
        createItem('int32', 'PreviewMeshType', 1),
        createItem('drawing_color', 'PreviewNormal', PREVIEW_COLOUR),
        createItem('drawing_color', 'PreviewSelected', SELECTED_COLOUR),
      ]),
      createChunk('DefinitionProperties', [
        createItem('date', 'Date', toTicks(updatedAt ?? NO_DATE) ?? toTicks(NO_DATE) ?? 0n),
        createItem('string', 'Description', ''),
        createItem('string', 'Name', `${toText(name)}.${form}`),
        createChunk('Revisions', [createItem('int32', 'RevisionCount', 0)]),
        createChunk('Projection', [
          createItem('drawing_point', 'Target', findTarget(document)),
          createItem('single', 'Zoom', 1),
        ]),
        createChunk('Views', [createItem('int32', 'ViewCount', 0)]),
      ]),
      createChunk('RcpLayout', [createItem('int32', 'GroupCount', 0)]),
      createChunk('GHALibraries', [createItem('int32', 'Count', 0)]),
      createChunk('DefinitionObjects', [createItem('int32', 'ObjectCount', 0)]),
    ]),
  ])
  return { root: sortItems(root) }
}

/** Grasshopper warns about files of later versions, so the version is that of Rhino 8 only if the nodes need it. */
function findPluginVersion({ nodes }: DefinitionDocument) {
  const needsRhino8 = Object.values(nodes).some(({ templateId }) => isOfRhino8(templateId))
  return { major: 1, minor: 0, revision: needsRhino8 ? 8 : 7 }
}

/** The distance from the corner of the canvas to the first of its nodes. */
const MARGIN = 60

/** The position of the canvas at which the first nodes are visible. */
function findTarget({ nodes }: DefinitionDocument): { x: number; y: number } {
  const first = { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY }
  for (const { position } of Object.values(nodes)) {
    first.x = Math.min(first.x, position.x)
    first.y = Math.min(first.y, position.y)
  }
  return { x: toInt32(MARGIN - first.x), y: toInt32(MARGIN - first.y) }
}
