export { hasChanges } from './check/has-changes.ts'
export {
  type AcceptedUpdate,
  type Checked,
  openUpdateCheck,
  type UpdateCheck,
  type UpdateRejection,
} from './check/update-check.ts'
export type { UpdateFault } from './check/update-fault.ts'
export { createLiveDocument, encodeLiveDocument } from './create-live-document.ts'
export { describeChange, type LiveChange } from './describe-change.ts'
export { createNode } from './edit/create-node.ts'
export { LiveEditError, type LiveEditFault } from './edit/edit-error.ts'
export { addGroup, editGroup, type GroupEdit, type NewGroup, removeGroups } from './edit/groups.ts'
export { addNodes, moveNodes, removeNodes, renameNode, setEnabled, setPreviewed } from './edit/nodes.ts'
export { type Clipping, type Pasted, pasteNodes } from './edit/paste-nodes.ts'
export { pinPort, unpinPort } from './edit/pins.ts'
export { addPort, editPort, type NewPort, type PortEdit, removePort } from './edit/ports.ts'
export { replaceContent } from './edit/replace-content.ts'
export { createUndoManager } from './edit/undo-manager.ts'
export { chooseItems, setPanelText, setSlider, setState, setToggle, setValues } from './edit/values.ts'
export { connect, disconnect, orderWires, type Wire } from './edit/wires.ts'
export { cutReferences } from './large-values/cut-references.ts'
export {
  isLargeTree,
  type LargeTree,
  type LargeValue,
  listReferences,
  type Reference,
} from './large-values/large-value.ts'
export { putLargeValues } from './large-values/put-large-values.ts'
export { FIRST_CLIENT } from './layout.ts'
export { LIVE_LIMITS } from './limits.ts'
export { type LiveJson, type LiveReader, openLiveReader } from './read/live-reader.ts'
export { readLiveDocument } from './read/read-live-document.ts'
