import type { DocumentId } from '@meadow/contract'
import { sendRequest } from '../harness/request.ts'
import { type Contender, requestsOf } from '../requests/contender.ts'

/** The content of a document, without its properties. */
export interface StoredContent {
  id: DocumentId
  /** `nodes`, `groups` and `configuration`. */
  body: string
}

/** The contents of the documents that are measured, read from Meadow. */
export async function* readContents(meadow: Contender): AsyncGenerator<StoredContent> {
  const { smallDocuments, largeDocuments } = meadow.team
  for (const document of [...smallDocuments, ...largeDocuments]) {
    const target = requestsOf(meadow, { name: '', reads: [{ kind: 'document', document }], manner: 'first' })
    const { body } = await sendRequest(target, target.requests[0]!)
    const { nodes, groups, configuration } = JSON.parse(body.toString()).document
    yield { id: document, body: JSON.stringify({ nodes, groups, configuration }) }
  }
}
