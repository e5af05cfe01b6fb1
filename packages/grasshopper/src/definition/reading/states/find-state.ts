import type { NodeState, PluginLibrary } from '@meadow/document'
import { CLASS } from '../../model/class-ids.ts'
import type { Library } from '../../model/definition.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import type { Reading } from '../values/value-context.ts'
import {
  readClusterState,
  readExpressionState,
  readGradientState,
  readGraphMapperState,
  readImageSamplerState,
  readPathMapperState,
  readTimerState,
} from './data-states.ts'
import { readPanelState, readScribbleState, readSketchState } from './drawing-states.ts'
import {
  findContextualState,
  findValueListState,
  readButtonState,
  readGenePoolState,
  readKnobState,
  readMdSliderState,
  readSliderState,
} from './input-states.ts'
import { findOptionsState } from './options-state.ts'
import { findScriptState } from './script-state.ts'

type StateReader = (object: DefinitionObject, reading: Reading) => NodeState | undefined

const READERS = new Map<string, StateReader>([
  [CLASS.numberSlider, readSliderState],
  [CLASS.mdSlider, readMdSliderState],
  [CLASS.controlKnob, readKnobState],
  [CLASS.genePool, readGenePoolState],
  [CLASS.panel, readPanelState],
  [CLASS.button, readButtonState],
  [CLASS.scribble, readScribbleState],
  [CLASS.sketch, readSketchState],
  [CLASS.cluster, readClusterState],
  [CLASS.oldCluster, readClusterState],
  [CLASS.expression, readExpressionState],
  [CLASS.pathMapper, readPathMapperState],
  [CLASS.graphMapper, readGraphMapperState],
  [CLASS.gradient, readGradientState],
  [CLASS.imageSampler, readImageSamplerState],
  [CLASS.trigger, readTimerState],
])

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** The state of a node beside its values; undefined for classes without state. */
export function findState(
  object: DefinitionObject,
  { libraries, reading }: { libraries: ReadonlyMap<string, Library>; reading: Reading },
): NodeState | undefined {
  const reader = READERS.get(object.classId)
  if (reader) return reader(object, reading)
  const plugin = findPlugin(object, libraries)
  return (
    findScriptState(object, reading) ??
    findContextualState(object) ??
    findValueListState(object, plugin) ??
    (plugin && { kind: 'plugin', ...plugin }) ??
    findOptionsState(object)
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
