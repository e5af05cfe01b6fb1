import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Document, Folder } from '@meadow/contract'
import { createDocumentContents } from '../../../content/document-contents.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { openDiskBlobs } from '../../../platform/blobs/disk.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { TestDatabase } from '../../../testing/databases.ts'
import { createFolder } from '../../../testing/definition-folder.ts'
import { givenTeam } from '../../../testing/given-team.ts'
import { createDocumentStore } from '../../documents/documents.store.ts'
import { createFolderStore } from '../../folders/folders.store.ts'
import { removeDiscardedBlobs } from '../../housekeeping/garbage-collection.ts'
import type { DefinitionParser } from '../definition-parser.ts'
import { type ImportRequest, importDefinitions } from '../import-definitions.ts'
import type { ImportResult, Outcome } from '../import-result.ts'

/** A team, with functions to import and to inspect the result. */
export async function givenImport(t: TestContext, kind: TestDatabase, parser: DefinitionParser) {
  const database = await kind.open(t)
  const { team, root, folder } = await givenTeam(database)
  const blobs = await openDiskBlobs(await createFolder(t))
  const folders = createFolderStore(database)
  const documents = createDocumentStore(database)

  const contents = createDocumentContents(database, blobs)

  const read = async (id: string): Promise<Document> => {
    const document = (await documents.find(team, id))!
    const { value } = (await contents.read(document.key, { seq: document.seq }))!
    return { ...document, ...JSON.parse(Buffer.from(value).toString()) }
  }
  const show = async (id: string, at: string): Promise<Record<string, string>> => {
    const found: Folder = JSON.parse(Buffer.from((await folders.find(team, id))!).toString()).folder
    for (const names of [found.folders, found.documents].map((list) => list.map(({ name }) => name))) {
      assert.equal(new Set(names).size, names.length, `twice: ${names}`)
    }
    const below = await Promise.all(found.folders.map((child) => show(child.id, `${at}${child.name}/`)))
    const nested = Object.fromEntries(found.documents.map((document) => [at + document.name, document.id]))
    return Object.assign(found.folders.length + found.documents.length ? {} : { [at]: '' }, nested, ...below)
  }

  return {
    database,
    team,
    root,
    blobs,
    folder,
    read,
    /** Removes discarded blobs, as if a day had passed. */
    collectGarbage: () => removeDiscardedBlobs(database, blobs, Date.now() + 60_000),
    /** Every document's id by its path, and `''` for every empty folder. */
    tree: () => show('root', ''),
    version: async () =>
      (await database.read.selectFrom('team').select('version').executeTakeFirstOrThrow()).version,
    async run(
      path: string,
      options: Partial<ImportRequest> & { database?: Database; blobs?: BlobStore } = {},
    ) {
      const results: ImportResult[] = []
      const summary = await importDefinitions(
        // An import that can be stopped has a parser of its own, which gets the signal.
        { database, blobs, ...(!options.signal && { parser }), ...options },
        {
          path,
          team,
          target: root.key,
          signal: new AbortController().signal,
          onResult: (result) => results.push(result),
          ...options,
        },
      )
      return { summary, results }
    },
  }
}

export const outcomes = (results: readonly ImportResult[]): Record<string, Outcome> =>
  Object.fromEntries(results.map(({ path, outcome }) => [path, outcome]))

export const panelText = (document: Document): unknown =>
  Object.values(Object.values(document.nodes)[0]!.values)[0]!.branches[0]!.values[0]!.value
