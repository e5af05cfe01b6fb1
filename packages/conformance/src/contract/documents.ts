import {
  Broken,
  expect,
  expectStatus,
  isObject,
  isText,
  type Members,
  NotChecked,
  type Sentence,
} from '../sentence.ts'
import { NOTHING, type Service } from '../service.ts'

/** How many documents are read for the sentences about their content. */
const MAX_READ = 20

/** Parts 2 and 4 of the contract: the document as it is read. */
export const DOCUMENTS: readonly Sentence[] = [
  {
    id: 'C2.17',
    says: 'The document reflects the live state of the editor (recent edits are included).',
    cannot: 'the editor is outside the API',
  },
  {
    id: 'C2.18',
    says: 'document.version is a number; it is 1.',
    async check(service) {
      for (const { version } of await readDocuments(service))
        expect(version === 1, "the number 1 as 'document.version'", version)
    },
  },
  {
    id: 'C2.19',
    says: 'Node: inputs and outputs each map port ids to their order.',
    async check(service) {
      for (const { inputs, outputs } of await readNodes(service))
        for (const ports of [inputs, outputs])
          expect(
            isObject(ports) && Object.values(ports).every((order) => Number.isInteger(order)),
            'an order for each port',
            ports,
          )
    },
  },
  {
    id: 'C2.20',
    says: "Node: sources maps one of the node's input ports to the upstream { nodeInstanceId, portInstanceId } feeding it.",
    async check(service) {
      const nodes = await readNodes(service)
      const outputs = new Set(
        nodes.flatMap((node) => (isObject(node.outputs) ? Object.keys(node.outputs) : [])),
      )
      let count = 0
      for (const { inputs, sources } of nodes) {
        if (!isObject(sources) || !isObject(inputs)) throw new Broken('wires by input port', typeof sources)
        for (const [port, fed] of Object.entries(sources)) {
          expect(port in inputs, `that port ${port}, which has a source, is an input`, Object.keys(inputs))
          // Whether a port with several wires has a list, the contract does not say.
          for (const source of [fed].flat()) {
            count++
            expect(
              isObject(source) && isText(source.nodeInstanceId) && outputs.has(String(source.portInstanceId)),
              '{ nodeInstanceId, portInstanceId } of an output port',
              source,
            )
          }
        }
      }
      if (count === 0) throw new NotChecked('a document with wires')
    },
  },
  {
    id: 'C2.21',
    says: 'Node: values holds anything typed in by hand rather than computed.',
    async check(service) {
      for (const { values } of await readNodes(service))
        expect(isObject(values), "an object as 'values'", values)
    },
  },
  {
    id: 'C4.23',
    says: 'Document read: an unknown or foreign document gives 404.',
    async check(service) {
      const expectMissing = async (id: string) => {
        expectStatus(await service.get(`/documents/${encodeURIComponent(id)}`), 404)
      }
      await expectMissing(NOTHING)
      await expectMissing((await service.foreign()).document)
    },
  },
  {
    id: 'C4.24',
    says: 'Document read returns the live document as in part 2.',
    sameAs: ['C2.18', 'C2.19', 'C2.20', 'C2.21'],
  },
]

/** The first documents of the team, and those that the settings name. */
async function readDocuments(service: Service): Promise<Members[]> {
  const { neverSolved, failed, solved, withGeometry, withoutGeometry } = service.settings
  const named = [neverSolved, failed, solved, withGeometry, withoutGeometry].filter(isText)
  const listed = (await service.documents()).map(({ id }) => id)
  const documents: Members[] = []
  for (const id of [...new Set([...named, ...listed])].slice(0, MAX_READ)) {
    const { json } = await service.get(`/documents/${encodeURIComponent(id)}`)
    if (!isObject(json) || !isObject(json.document)) throw new NotChecked('documents that can be read')
    documents.push(json.document)
  }
  return documents
}

/** The nodes of these documents. Where a document keeps them, the contract does not say; what they have, it does. */
async function readNodes(service: Service): Promise<Members[]> {
  const nodes = (await readDocuments(service)).flatMap((document) => [...listNodes(document)])
  if (nodes.length === 0) throw new NotChecked('a document with nodes')
  return nodes
}

function* listNodes(value: unknown): Generator<Members> {
  if (typeof value !== 'object' || value === null) return
  if (isObject(value) && ['inputs', 'outputs', 'sources', 'values'].every((name) => name in value))
    yield value
  else for (const member of Object.values(value)) yield* listNodes(member)
}
