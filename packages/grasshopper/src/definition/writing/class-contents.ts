import type { Node } from '@meadow/document'
import { createItem } from '../../archive/tree/edit.ts'
import { CLASS } from '../model/class-ids.ts'
import { createGradient } from '../states/gradient.ts'
import { listStateParts } from '../states/index.ts'
import type { Parts } from '../states/state-kind.ts'

const RED = 0xffff0000
const ORANGE = 0xffffa500
const LAWN_GREEN = 0xff7cfc00

/** The content of a new object's Container that depends on its class, with Grasshopper's defaults. The state is written over it. */
export function listClassParts(node: Node): Parts {
  return listStateParts(node) ?? PARTS.get(node.templateId)?.(node) ?? []
}

const PARTS = new Map<string, (node: Node) => Parts>([
  [CLASS.listItem, () => [createItem('int32', 'BaseOutputIndex', 0)]],
  [CLASS.dataDam, () => [createItem('int64', 'BufferDelay', 0n), createItem('int32', 'BufferMode', 0)]],
  [CLASS.customPreview, () => [createItem('string', 'ViewportFilter', '')]],
  [CLASS.cloudDisplay, () => [createItem('int32', 'SpriteType', 0)]],
  [CLASS.geometryPipeline, () => [createItem('bool', 'SublayerFiltering', true)]],
  [
    CLASS.paramViewer,
    () => [createItem('bool', 'DisplayGraph', false), createItem('double', 'ScrollRatio', 0)],
  ],
  [CLASS.splitArgb, () => [createItem('bool', 'IntegerChannels', true)]],
  [CLASS.quickGraph, () => [createItem('int32', 'SortOrder', 0)]],
  [CLASS.shortestList, () => [createItem('int32', 'TrimMode', 2)]],
  [
    CLASS.filePath,
    () => [
      createItem('bool', 'ExpireOnFileEvent', false),
      createItem('string', 'FileFilter', 'All files|*.*'),
    ],
  ],
  [CLASS.vectorDisplay, listVectorDisplay],
])

function listVectorDisplay(node: Node): Parts {
  return [
    createItem('bool', 'ApplyGradient', false),
    createItem('int32', 'ArrowHeadMode', 0),
    createItem('double', 'HeadRelativeSize', 0.1),
    createItem('double', 'HeadScreenSize', 15),
    ...createGradient(node, [RED, ORANGE, LAWN_GREEN]),
  ]
}
