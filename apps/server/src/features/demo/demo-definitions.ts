import { readFileSync } from 'node:fs'
import type { GraphContent, Node } from '@meadow/contract'
import { readDefinition } from '@meadow/grasshopper'

/** Reads the graph of `definitions/<file>.gh`, as an import does. Throws an error of the file system. */
export function readDemoDefinition(file: string): GraphContent {
  const { content } = readDefinition(readFileSync(new URL(`definitions/${file}.gh`, import.meta.url)))
  return file === 'circular-basin' ? closeCircle(content) : content
}

/** Draws the wire that makes the basin fail: no file has it, since wires that form a cycle make it unreadable. */
function closeCircle(content: GraphContent): GraphContent {
  const [depth, side] = [getNode(content, 'Depth'), getNode(content, 'Side')]
  const [result] = Object.keys(depth.outputs)
  const second = Object.keys(side.inputs).find((port) => side.inputs[port] === 1)
  side.sources[second!] = [{ nodeInstanceId: depth.instanceId, portInstanceId: result! }]
  return content
}

function getNode({ nodes }: GraphContent, nickName: string): Node {
  const node = Object.values(nodes).find((node) => node.nickName === nickName)
  if (!node) throw new Error(`There is no node "${nickName}".`)
  return node
}
