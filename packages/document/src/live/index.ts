export { hasChanges } from './check/has-changes.ts'
export {
  type AcceptedUpdate,
  type Checked,
  openUpdateCheck,
  type UpdateCheck,
  type UpdateRejection,
} from './check/update-check.ts'
export type { UpdateRejectionCode } from './check/update-rejection.ts'
export { createLiveDocument, encodeLiveDocument } from './edit/create-live-document.ts'
export { createNode } from './edit/create-node.ts'
export { LiveEditError, type LiveEditErrorCode } from './edit/edit-error.ts'
export { addGroup, editGroup, type GroupEdit, type NewGroup, removeGroups } from './edit/groups.ts'
export {
  addNodes,
  moveNodes,
  moveNodesBy,
  removeNodes,
  renameNode,
  setEnabled,
  setPreviewed,
} from './edit/nodes.ts'
export { type Clipping, type Pasted, pasteNodes } from './edit/paste-nodes.ts'
export { orderPins, pinPort, unpinPort } from './edit/pins.ts'
export { addPort, editPort, type NewPort, nextName, type PortEdit, removePort } from './edit/ports.ts'
export { replaceContent } from './edit/replace-content.ts'
export { type Lost, listLosses, type Replaced, replaceNode } from './edit/replace-node.ts'
export { createUndoManager } from './edit/undo-manager.ts'
export {
  chooseItems,
  createSliderValues,
  setPanelText,
  setSlider,
  setState,
  setToggle,
  setValues,
} from './edit/values.ts'
export { connect, disconnect, orderWires, type Wire } from './edit/wires.ts'
export { describeChange, type LiveChange } from './projection/changes.ts'
export { type LiveProjector, openLiveProjector, readLiveDocument } from './projection/live-projector.ts'
export { putLargeValues } from './put-large-values.ts'
export {
  cutReferences,
  isLargeTree,
  type LargeTree,
  type LargeValue,
  type LiveJson,
  listReferences,
  type Reference,
} from './schema/large-value.ts'
export { FIRST_CLIENT } from './schema/layout.ts'
export { LIVE_LIMITS } from './schema/limits.ts'
