import { type DataValue, type Node, type NodeState, type PluginLibrary, sameState } from '@meadow/document'
import { samePosition } from '../compare/differences.ts'
import type { Library } from '../model/definition.ts'
import type { DefinitionObject } from '../model/definition-object.ts'
import type { Reading } from '../model/reading.ts'
import { BUTTON } from './button.ts'
import { createChange } from './change.ts'
import { CLUSTER } from './cluster.ts'
import { CONTEXTUAL, CONTEXTUAL_PARTS, findContextualState } from './contextual.ts'
import { EXPRESSION } from './expression.ts'
import { GENE_POOL } from './gene-pool.ts'
import { GRADIENT } from './gradient.ts'
import { GRAPH_MAPPER } from './graph-mapper.ts'
import { IMAGE_SAMPLER } from './image-sampler.ts'
import { KNOB } from './knob.ts'
import { MD_SLIDER } from './md-slider.ts'
import { findOptionsState, OPTIONS } from './options.ts'
import { PANEL } from './panel.ts'
import { PATH_MAPPER } from './path-mapper.ts'
import { SCRIBBLE } from './scribble.ts'
import { findScriptState, SCRIPT } from './script.ts'
import { SKETCH } from './sketch.ts'
import { SLIDER } from './slider.ts'
import type { Parts, StateKind } from './state-kind.ts'
import { TIMER } from './timer.ts'
import { SWATCH, TOGGLE } from './toggle-and-swatch.ts'
import { findSelected, findValueListState, VALUE_LIST, VALUE_LIST_PARTS } from './value-list.ts'

const KINDS: readonly StateKind[] = [
  ...[SLIDER, MD_SLIDER, KNOB, GENE_POOL, PANEL, VALUE_LIST, BUTTON, TOGGLE, SWATCH, CONTEXTUAL],
  ...[SCRIPT, EXPRESSION, PATH_MAPPER, GRAPH_MAPPER, GRADIENT, IMAGE_SAMPLER, CLUSTER, OPTIONS],
  ...[SCRIBBLE, SKETCH, TIMER],
]

const BY_CLASS = new Map(KINDS.flatMap((kind) => kind.classes.map((classId) => [classId, kind])))
const BY_KIND = new Map<unknown, StateKind>(
  KINDS.flatMap((each) => (each.kind === undefined ? [] : [[each.kind, each]])),
)

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** The state of a node beside its values; undefined for classes without state. */
export function findState(
  object: DefinitionObject,
  { libraries, reading }: { libraries: ReadonlyMap<string, Library>; reading: Reading },
): NodeState | undefined {
  const kind = BY_CLASS.get(object.classId)
  if (kind?.read) return kind.read(object, reading)
  const plugin = findPlugin(object, libraries)
  return (
    findScriptState(object, reading) ??
    findContextualState(object.container) ??
    findValueListState(object.container, plugin) ??
    (plugin && { kind: 'plugin', ...plugin }) ??
    findOptionsState(object.container)
  )
}

/** Libraries without an id have the zero GUID. */
function findPlugin(
  { libraryId }: DefinitionObject,
  libraries: ReadonlyMap<string, Library>,
): PluginLibrary | undefined {
  if (libraryId === undefined || libraryId === NO_ID) return undefined
  const { name, version } = libraries.get(libraryId) ?? {}
  return { libraryId, ...(name ? { library: name } : {}), ...(version ? { version } : {}) }
}

/** The values that the user chose on a slider, panel, toggle …, as one list; undefined for other objects. */
export function findChosenValues({ classId, container }: DefinitionObject): DataValue[] | undefined {
  const kind = BY_CLASS.get(classId)
  return kind?.choose ? kind.choose(container) : findSelected(container)
}

/** Writes the state of a node and the values chosen on the object itself, if they differ. */
export function updateState(object: DefinitionObject, before: Node, after: Node): void {
  const change = createChange(before, after)
  const isSame =
    change.values === undefined &&
    sameState(before.state, after.state) &&
    samePosition(before.position, after.position)
  if (isSame) return
  const own = BY_CLASS.get(object.classId)
  const state = before.state ?? after.state
  const kind = own && own.kind === undefined ? own : state && BY_KIND.get(state.kind)
  kind?.write?.(object, change)
}

const RECOGNISED_PARTS = new Map([...CONTEXTUAL_PARTS, ...VALUE_LIST_PARTS])

/** The content of a new object's Container that its kind of state needs; undefined for classes without any. */
export function listStateParts(node: Node): Parts | undefined {
  return BY_CLASS.get(node.templateId)?.create?.(node) ?? RECOGNISED_PARTS.get(node.templateId)?.()
}
