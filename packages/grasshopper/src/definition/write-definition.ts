import { findForm, readArchive } from '../archive/read-archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { IN_EFFECT, listDifferences } from './compare/differences.ts'
import { readPins, writePins } from './pins.ts'
import { readConfiguration } from './read-configuration.ts'
import { interpretArchive } from './read-definition.ts'
import { createBase } from './writing/base.ts'
import { isKnown } from './writing/create/make-object.ts'
import { createFrame } from './writing/create-frame.ts'
import { listUntold } from './writing/list-untold.ts'
import { prepareContent } from './writing/prepare/prepare-content.ts'
import { updateObjects } from './writing/update-objects.ts'
import { createFindOpaque } from './writing/values/opaque-items.ts'
import type {
  DefinitionDocument,
  WriteOptions,
  WriteWarning,
  WrittenDefinition,
} from './written-definition.ts'

/**
 * Writes a document as the bytes of a .gh or .ghx file (rules GHD-31 to GHD-48 of SPEC.md). With `original` everything
 * that the document does not show is kept, and an unchanged document gives the archive that it came from. Pure: no
 * clock, no random ids.
 * Fails: `GrasshopperError` as `readDefinition` for an original that cannot be read, and with `malformed` for a text
 * that the form cannot hold (control characters in `ghx`).
 */
export function writeDefinition(
  document: DefinitionDocument,
  { original, form = 'gh' }: WriteOptions = {},
): WrittenDefinition {
  const warnings: WriteWarning[] = []
  const base = createBase(original ? readArchive(original) : createFrame(document, form))
  const context = {
    warn: (warning: WriteWarning) => void warnings.push(warning),
    findOpaque: createFindOpaque(base.objects, base.content),
  }
  const { archive, definition } = base
  const kept = original && base.content
  const content = prepareContent(document, kept, (node) => isKnown(node, base), context)
  if (original && findForm(original) === form && listDifferences(content, base.content).length === 0) {
    return { bytes: new Uint8Array(original), warnings }
  }
  updateObjects(base, content, context)
  const written = interpretArchive(archive).content
  const told = readConfiguration(written.nodes, written.groups)
  writePins(definition, told, content.configuration)
  const read = { ...written, configuration: readPins(definition, told) }
  warnings.push(...listUntold(listDifferences(content, read, IN_EFFECT), content, warnings))
  return { bytes: writeArchive(archive, { form }), warnings }
}
