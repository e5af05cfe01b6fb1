export { COARSE, type Detail, FINE, ROUGH } from './drawing/detail.ts'
export { drawGeometry } from './drawing/draw-geometry.ts'
export type { Drawing } from './drawing/drawing.ts'
export { listMembers } from './drawing/list-members.ts'
