import {
  findCanvasObject,
  findComponent,
  findComponentName,
  findParameterType,
  findScript,
} from '@meadow/document'
import { CLASS } from '../../objects/class-ids.ts'

/** Whether all that an object of this class keeps is known, so that one can be made from its node alone. */
export function isBuildable(classId: string): boolean {
  return (
    findComponent(classId) !== undefined ||
    findParameterType(classId) !== undefined ||
    findScript(classId) !== undefined ||
    findCanvasObject(classId)?.parameter !== undefined ||
    OTHERS.includes(classId)
  )
}

/** What has no wires, or ports of its own, and no entry among the components. */
const OTHERS: readonly string[] = [
  CLASS.gradient,
  CLASS.scribble,
  CLASS.sketch,
  CLASS.trigger,
  CLASS.dataDam,
  CLASS.contextBake,
  CLASS.contextPrint,
  CLASS.import3dm,
]

/** Whether the class comes with Grasshopper, and is not one of those that mean nothing without what they hold. */
export function isStandard(classId: string): boolean {
  return isBuildable(classId) || findComponentName(classId) !== undefined
}

/** Boxes of Grasshopper's own of which no file was seen, so that nobody knows what they keep: wheel, picker, scroller … */
const UNSEEN: readonly string[] = [
  '51a2ede9-8f8c-4fdf-a375-999c2062eab7',
  '339c0ee1-cf11-444f-8e10-65c9150ea755',
  '33bcf975-a0b2-4b54-99fd-585c893b9e88',
  'ab898d46-b8b3-4ed5-b28f-4f8047920262',
  'f8a94819-1e2b-4d67-9100-9e983ac493cc',
  '216bccd8-bf29-4d3c-b791-54c89a180db3',
]

export function isUnseen(classId: string): boolean {
  return UNSEEN.includes(classId)
}
