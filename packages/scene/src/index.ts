export { createDrawCache, drawSolution, listMembers } from './draw-solution.ts'
export type { SceneLocation } from './port-builder.ts'
export { countVertices, createSceneBuilder, packColour, type SceneBuilder } from './scene-builder.ts'
export { EMPTY_SCENE } from './write-header.ts'
