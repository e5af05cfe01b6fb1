import { type Node, sameState } from '@meadow/document'
import { samePosition } from '../../compare/differences.ts'
import { CLASS } from '../../model/class-ids.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { type Change, createChange } from './change.ts'
import { updateScribble, updateSketch, updateTimer } from './drawings.ts'
import {
  updateExpression,
  updateGradient,
  updateGraphMapper,
  updateImageSampler,
  updatePathMapper,
} from './graphs.ts'
import { updateButton, updateContextual, updateSwatch, updateToggle, updateValueList } from './inputs.ts'
import { updateOptions } from './options.ts'
import { updatePanel } from './panel.ts'
import { updateScript } from './script.ts'
import { updateGenePool, updateKnob, updateMdSlider, updateSlider } from './sliders.ts'

type Update = (object: DefinitionObject, change: Change) => void

const BY_STATE = new Map<unknown, Update>([
  ['slider', updateSlider],
  ['mdSlider', updateMdSlider],
  ['knob', updateKnob],
  ['genePool', updateGenePool],
  ['panel', updatePanel],
  ['valueList', updateValueList],
  ['button', updateButton],
  ['contextual', updateContextual],
  ['script', updateScript],
  ['expression', updateExpression],
  ['pathMapper', updatePathMapper],
  ['graphMapper', updateGraphMapper],
  ['gradient', updateGradient],
  ['imageSampler', updateImageSampler],
  ['scribble', updateScribble],
  ['sketch', updateSketch],
  ['timer', updateTimer],
  ['options', updateOptions],
])

const BY_CLASS = new Map<string, Update>([
  [CLASS.booleanToggle, updateToggle],
  [CLASS.colourSwatch, updateSwatch],
])

/** Writes the state of a node and the values chosen on the object itself, if they differ. */
export function updateState(object: DefinitionObject, before: Node, after: Node): void {
  const change = createChange(before, after)
  const isSame =
    change.values === undefined &&
    sameState(before.state, after.state) &&
    samePosition(before.position, after.position)
  if (isSame) return
  const update = BY_CLASS.get(object.classId) ?? BY_STATE.get((before.state ?? after.state)?.kind)
  update?.(object, change)
}
