import type { Group } from '@meadow/contract'
import type { Colour } from '@meadow/geometry/values/value'
import type { ModelOptions, ModelValue } from './model-input.ts'
import { type GroupTree, planGroups } from './plan-groups.ts'
import { createUniqueNames } from './unique-names.ts'
import { createGroupLayerId, createLayerId } from './value-location.ts'

export interface PlannedLayer {
  /** A UUID. */
  id: string
  name: string
  /** The id of the layer that it is in. */
  parentId?: string
  /** The colour of the layer, by default black. */
  colour?: Colour
  isOff: boolean
}

export interface LayerPlan {
  /** The layers, each after the layer that it is in. */
  layers: PlannedLayer[]
  /** The index of each node's layer. */
  layerOf: ReadonlyMap<string, number>
}

type Options = Pick<ModelOptions, 'documentId' | 'groups' | 'hiddenNodeIds'>
type LayerValue = Pick<ModelValue, 'nodeInstanceId' | 'nodeName' | 'material'>

/**
 * Plans a layer for each node, in the order of their first values, in layers for the groups around the node. Names are
 * unique among the layers of one parent. Without values there is one layer, because a file has at least one, and the
 * library would give it a random id.
 */
export function planLayers(values: readonly LayerValue[], options: Options): LayerPlan {
  const { documentId, groups = [], hiddenNodeIds } = options
  const tree = planGroups(groups)
  const shownNodeIds = new Set(values.flatMap((value) => (value.material ? [value.nodeInstanceId] : [])))
  const layers: PlannedLayer[] = []
  const layerOf = new Map<string, number>()
  const namesIn = new Map<string | undefined, (name: string) => string>()

  function add(layer: Omit<PlannedLayer, 'parentId'>, parentId: string | undefined): void {
    const makeUnique = namesIn.get(parentId) ?? createUniqueNames()
    namesIn.set(parentId, makeUnique)
    layers.push({ ...layer, name: makeUnique(layer.name), ...(parentId && { parentId }) })
  }

  const addGroup = createGroupAdder(documentId, tree, add)
  for (const { nodeInstanceId, nodeName } of values) {
    if (layerOf.has(nodeInstanceId)) continue
    const group = tree.groupOf.get(nodeInstanceId)
    const parentId = group && addGroup(group)
    const isOff = Boolean(hiddenNodeIds?.has(nodeInstanceId)) && !shownNodeIds.has(nodeInstanceId)
    const id = createLayerId(documentId, nodeInstanceId)
    const colour = group && toLayerColour(group)
    layerOf.set(nodeInstanceId, layers.length)
    add({ id, name: toLayerName(nodeName, 'Node'), isOff, ...(colour && { colour }) }, parentId)
  }
  if (layers.length === 0)
    add({ id: createLayerId(documentId, ''), name: 'Default', isOff: false }, undefined)
  return { layers, layerOf }
}

/** Adds the layer of a group, after those that it is in, unless it exists already; returns its id. */
function createGroupAdder(
  documentId: string,
  { parentOf }: GroupTree,
  add: (layer: Omit<PlannedLayer, 'parentId'>, parentId: string | undefined) => void,
): (group: Group) => string {
  const added = new Set<Group>()
  const idOf = (group: Group) => createGroupLayerId(documentId, group.id)
  return (innermost) => {
    const missing: Group[] = []
    for (let group: Group | undefined = innermost; group && !added.has(group); group = parentOf.get(group))
      missing.push(group)
    for (const group of missing.reverse()) {
      added.add(group)
      const parent = parentOf.get(group)
      const layer = { id: idOf(group), name: toLayerName(group.label, 'Group'), colour: toLayerColour(group) }
      add({ ...layer, isOff: false }, parent && idOf(parent))
    }
    return idOf(innermost)
  }
}

/** Layers are opaque, unlike groups. */
function toLayerColour({ colour }: Group): Colour {
  const [red, green, blue] = Buffer.from(colour.slice(1), 'hex')
  return { type: 'colour', red: red!, green: green!, blue: blue!, alpha: 255 }
}

/** Rhino uses `::` as the separator of layer paths and rejects leading and trailing spaces. */
function toLayerName(name: string, fallback: string): string {
  const clean = name
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/:{2,}/g, ':')
    .trim()
  return clean === '' ? fallback : clean.slice(0, 200)
}
