import { createNode, type Node } from '@meadow/client/live'
import { KINDS } from './kinds.ts'

const CSHARP_SCRIPT = 'a9a8ebd2-fff5-4c44-a8f5-739736d129ba'

/**
 * A slider, a script of this name that it feeds, and a panel that shows the result, for a document that is solved in part:
 * scripts are not run.
 */
export function createScripted(nickName: string): [slider: Node, script: Node, panel: Node] {
  const slider = createNode(KINDS.slider, { position: { x: 0, y: 0 } })
  const script: Node = {
    ...createNode(KINDS.series, { position: { x: 250, y: 0 }, nickName }),
    ...{ templateId: CSHARP_SCRIPT, name: 'C# Script' },
  }
  const panel = createNode(KINDS.panel, { position: { x: 500, y: 0 } })
  const from = (node: Node, port: string) => [{ nodeInstanceId: node.instanceId, portInstanceId: port }]
  script.sources[Object.keys(script.inputs)[0]!] = from(slider, slider.instanceId)
  panel.sources[panel.instanceId] = from(script, Object.keys(script.outputs)[0]!)
  return [slider, script, panel]
}
