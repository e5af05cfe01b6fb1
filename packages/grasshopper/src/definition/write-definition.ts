import { type GraphContent, groupBy } from '@meadow/document'
import { findForm, readArchive } from '../archive/read-archive.ts'
import type { Archive } from '../archive/tree/archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { type Difference, IN_EFFECT, IN_EFFECT_PLAIN, listDifferences } from './compare/differences.ts'
import { CLASS } from './model/class-ids.ts'
import type { Note } from './model/definition.ts'
import { getDefinition, listObjects } from './model/definition-object.ts'
import { LATEST_READING, type Reading } from './model/reading.ts'
import { readConfiguration, readPins, writePins } from './reading/pins.ts'
import { readGraph } from './reading/read-graph.ts'
import { createDefinitionContext } from './reading/values/value-context.ts'
import { createFrame } from './writing/create-frame.ts'
import { prepareContent } from './writing/prepare-content.ts'
import { updateObjects, type WrittenObjects } from './writing/update-objects.ts'
import { describeNode, type Target, type Warn } from './writing/write-context.ts'
import type {
  DefinitionDocument,
  WriteOptions,
  WriteWarning,
  WrittenDefinition,
} from './writing/written-definition.ts'

/**
 * Writes a document as the bytes of a .gh or .ghx file (rules GHD-31 to GHD-48 of SPEC.md). With `original`, everything
 * that the document does not show is kept, and an unchanged document gives the bytes of the original. Pure: no clock,
 * no random ids.
 * Fails: `GrasshopperError` as `readDefinition` for an original that cannot be read, and with `malformed` for a text
 * that the form cannot hold (control characters in `ghx`).
 */
export function writeDefinition(
  document: DefinitionDocument,
  { original, form = 'gh', reading = LATEST_READING }: WriteOptions = {},
): WrittenDefinition {
  const warnings: WriteWarning[] = []
  const warn: Warn = (warning) => void warnings.push(warning)

  const archive = original ? readArchive(original) : createFrame(document, form)
  const target = readTarget(archive, reading)
  const content = prepareContent(document, target, warn)
  if (original && findForm(original) === form && listDifferences(content, target.content).length === 0) {
    return { bytes: new Uint8Array(original), warnings }
  }
  const written = updateObjects(target, content, warn)
  const readBack = finishAndReadBack(target, written, content.configuration)
  const differences = listDifferences(content, readBack, reading === 1 ? IN_EFFECT_PLAIN : IN_EFFECT)
  warnings.push(...describeDifferences(differences, content, warnings))
  return { bytes: writeArchive(target.archive, { form }), warnings }
}

function readTarget(archive: Archive, reading: Reading): Target {
  const definition = getDefinition(archive)
  const objects = listObjects(definition)
  const nodeObjects = objects.filter(({ classId }) => classId !== CLASS.group)
  const objectsByClass = groupBy(nodeObjects, ({ classId }) => classId)
  const notes: Note[] = []
  const content = readGraph(definition, objects, createDefinitionContext(notes, reading))
  return { archive, definition, objects, objectsByClass, content, notes, reading }
}

/** Writes the pinned ports, which follow from the written nodes and groups, and reads the written graph back. */
function finishAndReadBack(
  { definition, reading }: Target,
  { objects, unchanged }: WrittenObjects,
  configuration: GraphContent['configuration'],
): GraphContent {
  const graph = readGraph(definition, objects, createDefinitionContext([], reading), unchanged)
  const derived = readConfiguration(graph.nodes, graph.groups)
  writePins(definition, derived, configuration)
  return { ...graph, configuration: readPins(definition, derived) }
}

/** Warnings for parts that differ between the file and the document, unless another warning mentions them. */
function describeDifferences(
  differences: readonly Difference[],
  content: GraphContent,
  warnings: readonly WriteWarning[],
): WriteWarning[] {
  const mentioned = new Set(warnings.map(keyOf))
  return differences
    .filter((difference) => !mentioned.has(keyOf(difference)))
    .map(({ what, ...part }) => {
      const node = part.nodeInstanceId === undefined ? undefined : content.nodes[part.nodeInstanceId]
      const port = part.portInstanceId === undefined ? undefined : node?.ports[part.portInstanceId]
      const owner = [node && describeNode(node), port && `port ${port.name}`].filter(Boolean).join(', ')
      const message = `The file cannot say all of the ${what}${owner === '' ? '' : ` of ${owner}`}.`
      return { kind: what === 'ports' ? 'ports_kept' : 'fact_left_out', ...part, message }
    })
}

/** Identifies the part of a document that a difference or warning is about. */
function keyOf({ nodeInstanceId, portInstanceId, groupId }: Partial<Difference>): string {
  return [nodeInstanceId, portInstanceId, groupId].join(' ')
}
