import assert from 'node:assert/strict'
import { Document, type GraphContent, NAMED_SCHEMAS } from '@meadow/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'

const NAMED = Object.fromEntries(
  NAMED_SCHEMAS.map((schema): [string, TSchema] => [(schema as { $id?: string }).$id ?? '', schema]),
)
const FILE_PROPERTIES = {
  id: 'doc_0123456789abcdef',
  name: 'Tower',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

/** Checks the content against the schema of the contract. */
export function assertSchema(content: GraphContent): void {
  const [fault] = Value.Errors(
    NAMED as never,
    Document,
    JSON.parse(JSON.stringify({ ...FILE_PROPERTIES, ...content })),
  )
  assert.equal(fault && `${fault.instancePath}: ${fault.message}`, undefined)
}

export function fitsSchema(schema: TSchema, value: unknown): boolean {
  return Value.Check(NAMED as never, schema, value)
}
