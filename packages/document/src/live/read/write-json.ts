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

/** A graph as JSON text. */
export function writeGraph({ nodes, groups, configuration }: KeptGraph<LiveJson>): LiveJson {
  const pieces: (string | LargeValue)[] = []
  let text = '{"nodes":{'
  let separator = ''
  for (const [id, node] of Object.entries(nodes)) {
    text += `${separator}${JSON.stringify(id)}:`
    separator = ','
    for (const piece of node) {
      if (typeof piece === 'string') text += piece
      else {
        pieces.push(text, piece)
        text = ''
      }
    }
  }
  text += `},"groups":${JSON.stringify(groups)},"configuration":${JSON.stringify(configuration)}}`
  return [...pieces, text]
}
