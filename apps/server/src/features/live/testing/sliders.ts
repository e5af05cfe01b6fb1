import { addNodes, createNode, type LiveDocument, type Node } from '@meadow/client/live'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'

/** A number slider that is not in a document yet. */
export const createSlider = (x = 0): Node => createNode(SLIDER, { position: { x, y: 0 } })

/** Adds a slider; returns its id. */
export function addSlider(live: LiveDocument, x = 0): string {
  const slider = createSlider(x)
  live.edit((doc) => addNodes(doc, [slider]))
  return slider.instanceId
}

/** A content with this number of sliders. */
export function sliderContent(count: number): object {
  const nodes = Array.from({ length: count }, (_, at) => createSlider(at * 10))
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
  }
}
