import type { Document, Node } from '@meadow/client'
import { readDemoDefinition } from '../../../../apps/server/src/features/demo/demo-definitions.ts'
import { createDemoTree, listDemoDocuments } from '../../../../apps/server/src/features/demo/demo-tree.ts'
import { listSamples } from '../../../grasshopper/src/archive/testing/samples.ts'
import {
  describeClusters,
  describeDefinition,
  readClusters,
  readDefinition,
} from '../../../grasshopper/src/index.ts'

const FACTS = {
  id: 'doc_xe6h0b2waz5saj3c',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
} as const

/** The definitions of a folder beside the project, which only some machines have, as the API answers with them. */
export function readSamples(): Document[] {
  return listSamples('gh', 'ghx').map(({ name, bytes }) => {
    const definition = readDefinition(bytes)
    const clusters = readClusters(definition.original)
    const file = { name, createdAt: null, modifiedAt: null, ...describeDefinition(definition, clusters) }
    return { ...FACTS, name, ...definition.content, file, clusters: describeClusters(clusters) } as Document
  })
}

/** The documents of the demo. */
export const readDemo = (): Document[] =>
  listDemoDocuments(createDemoTree(0)).map(
    ({ name, file }) => ({ ...FACTS, name, ...readDemoDefinition(file) }) as Document,
  )

export const findDemo = (name: string): Document => readDemo().find((document) => document.name === name)!

/** A document with nodes of these texts, one below the other, each fed by the one above. */
export function createChain(texts: readonly string[]): Document {
  const ids = texts.map((_, i) => `${(i * 2654435761) % 2 ** 32}x`.padStart(11, '0'))
  const nodes = texts.map((text, i) => createPanel(ids[i]!, text, i, ids[i - 1]))
  return {
    ...{ ...FACTS, name: 'Chain', groups: [], configuration: { inputs: [], outputs: [] } },
    nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
  }
}

const createPanel = (id: string, text: string, y: number, source: string | undefined): Node => ({
  ...{ instanceId: id, templateId: '59e0b89a-e487-49f8-bab8-b5bab16be14c', name: 'Panel', nickName: '' },
  ...{ position: { x: 0, y }, status: { isEnabled: true, isPreviewed: true } },
  ...{ inputs: { [id]: 0 }, outputs: { [id]: 0 } },
  sources: source === undefined ? {} : { [id]: [{ nodeInstanceId: source, portInstanceId: source }] },
  values: { [id]: { branches: [{ path: '{0}', values: [{ type: 'string', value: text }] }] } },
  ports: { [id]: { name: 'Panel', nickName: '', typeName: 'Text', access: 'item', flags: [] } },
  state: { kind: 'panel', text },
})
