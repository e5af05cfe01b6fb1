import type { Node } from '@meadow/contract'
import { cutReferences } from '../large-values/cut-references.ts'
import type { LargeValue } from '../large-values/large-value.ts'
import { BIRTH, type Facts } from '../layout.ts'
import type { KeptGraph } from './graph-reader.ts'
import type { LiveJson } from './live-reader.ts'

/** A node as JSON text. Where it is as it was born, the text that it was born with is kept: it is held anyway. */
export function writeNode(node: Node, facts: Facts): LiveJson {
  const text = JSON.stringify(node)
  if (text.includes('"$blob":"')) return cutReferences(text)
  const born = facts.get(BIRTH)
  return [text === born ? born : text]
}

/** So many nodes are one piece of text, which is written anew when one of them has changed. */
const NODES_IN_A_PIECE = 64

interface Piece {
  nodes: readonly LiveJson[]
  json: LiveJson
}

/** Writes one graph as JSON text again and again: what holds no change is the same string as the last time. */
export function createGraphWriter(): (graph: KeptGraph<LiveJson>) => LiveJson {
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
