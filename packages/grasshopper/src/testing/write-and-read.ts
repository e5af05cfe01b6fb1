import assert from 'node:assert/strict'
import { createRecord, type GraphContent, type Node } from '@meadow/document'
import { readArchive } from '../archive/read-archive.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { writeDefinition } from '../definition/write-definition.ts'
import type { WriteOptions, WriteWarning } from '../definition/writing/written-definition.ts'
import { listFaults } from './check-structure.ts'
import { toJson } from './read-objects.ts'

export function buildContent(nodes: readonly Node[], more: Partial<GraphContent> = {}): GraphContent {
  return {
    nodes: createRecord(nodes.map((node) => [node.instanceId, node])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
    ...more,
  }
}

/** Writes a document and reads the file again. A new file has to be well-formed. */
export function writeAndRead(
  content: GraphContent,
  options: WriteOptions = {},
): { bytes: Uint8Array; content: GraphContent; warnings: WriteWarning[] } {
  const { bytes, warnings } = writeDefinition({ name: 'Tower', ...content }, options)
  if (!options.original) assert.deepEqual(listFaults(readArchive(bytes)), [])
  return { bytes, content: toJson(readDefinition(bytes).content), warnings }
}

/** Checks that a document is read back unchanged, without warnings. */
export function assertComesBack(content: GraphContent, options: WriteOptions = {}): void {
  const read = writeAndRead(content, options)
  assert.deepEqual(read.warnings, [])
  assert.deepEqual(read.content, toJson(content))
}

/** The document in the editor after a file was imported. */
export function importDefinition(original: Uint8Array): GraphContent {
  return toJson(readDefinition(original).content)
}
