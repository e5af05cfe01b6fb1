import type { Node } from '@meadow/contract'
import { cutReferences, type LargeValue, type LiveJson } from '../schema/large-value.ts'
import { CREATION_RECORD, type PropertyMap } from '../schema/layout.ts'
import type { ProjectedGraph } from './graph-projector.ts'

/** A node as JSON text. For a node without edits this is the string of its creation record, which is in memory anyway. */
export function writeNode(node: Node, properties: PropertyMap): LiveJson {
  const text = JSON.stringify(node)
  if (text.includes('"$blob":"')) return cutReferences(text)
  const created = properties.get(CREATION_RECORD)
  return [text === created ? created : text]
}

/** This many nodes form one piece of text, which is rewritten when one of them has changed. */
const NODES_IN_A_PIECE = 64

interface Piece {
  nodes: readonly LiveJson[]
  json: LiveJson
}

/** Creates a function that writes successive states of one graph as JSON. Pieces without a change are the same strings. */
export function createGraphWriter(): (graph: ProjectedGraph<LiveJson>) => LiveJson {
  let pieces: readonly Piece[] = []
  return ({ nodes, groups, configuration }) => {
    const entries = Object.entries(nodes)
    const count = Math.ceil(entries.length / NODES_IN_A_PIECE)
    pieces = Array.from({ length: count }, (_, at) => {
      const some = entries.slice(at * NODES_IN_A_PIECE, (at + 1) * NODES_IN_A_PIECE)
      const last = pieces[at]
      const isSame = last?.nodes.length === some.length && some.every(([, node], i) => node === last.nodes[i])
      return isSame ? last : { nodes: some.map(([, node]) => node), json: writeNodes(some) }
    })
    const written = pieces.flatMap(({ json }, at) => (at === 0 ? json : [',', ...json]))
    const rest = `},"groups":${JSON.stringify(groups)},"configuration":${JSON.stringify(configuration)}}`
    return ['{"nodes":{', ...written, rest]
  }
}

function writeNodes(nodes: readonly [id: string, node: LiveJson][]): LiveJson {
  const pieces: (string | LargeValue)[] = []
  let text = ''
  for (const [at, [id, node]] of nodes.entries()) {
    text += `${at === 0 ? '' : ','}${JSON.stringify(id)}:`
    for (const piece of node) {
      if (typeof piece === 'string') text += piece
      else {
        pieces.push(text, piece)
        text = ''
      }
    }
  }
  return [...pieces, text]
}
