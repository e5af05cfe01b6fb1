/** A schema as JSON Schema 2020-12, as far as the contract uses it. References name components of the OpenAPI description. */
export interface JsonSchema {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema | false
  prefixItems?: readonly JsonSchema[]
  minItems?: number
  minimum?: number
  maximum?: number
  anyOf?: readonly JsonSchema[]
  enum?: readonly (string | number)[]
  const?: unknown
  format?: string
  pattern?: string
  contentEncoding?: string
  contentMediaType?: string
  default?: unknown
  examples?: readonly unknown[]
}

const COMPONENTS = '#/components/schemas/'

/** Returns the name of the schema that a reference leads to. */
export const nameOfReference = (reference: string): string => reference.slice(COMPONENTS.length)

/** Returns a reference to a named schema. */
const referenceTo = (name: string): JsonSchema => ({ $ref: COMPONENTS + name })

/** How TypeBox declares schemas: tuples as draft 7 has them, records by a pattern, references by id. */
interface Declared extends Omit<JsonSchema, 'items' | 'properties' | 'anyOf' | 'additionalProperties'> {
  $id?: string
  properties?: Record<string, Declared>
  items?: Declared | readonly Declared[]
  additionalItems?: false
  additionalProperties?: Declared | boolean
  patternProperties?: Record<string, Declared>
  anyOf?: readonly Declared[]
}

/** Returns the id of a named schema, by which other schemas refer to it. */
export const idOf = (schema: object): string | undefined => (schema as Declared).$id

/** Returns a reference if the schema is a named one, otherwise its content. */
export const toReference = (schema: object): JsonSchema => {
  const id = idOf(schema)
  return id === undefined ? toJsonSchema(schema) : referenceTo(id)
}

/** Returns the content of a schema that TypeBox declared, with references in place of the named schemas inside it. */
export function toJsonSchema(schema: object): JsonSchema {
  const {
    $id,
    $ref,
    properties,
    items,
    additionalItems,
    additionalProperties,
    patternProperties,
    anyOf,
    ...rest
  } = schema as Declared
  if ($ref !== undefined) return referenceTo($ref)
  const values = additionalProperties ?? Object.values(patternProperties ?? {})[0]
  return {
    ...(rest.enum && { type: typeOfValues(rest.enum) }),
    ...rest,
    ...(properties && { properties: mapValues(properties, toReference) }),
    ...(values !== undefined && {
      additionalProperties: typeof values === 'object' ? toReference(values) : values,
    }),
    ...toItems(items),
    ...(anyOf && { anyOf: anyOf.map(toReference) }),
  }
}

const mapValues = <From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

/** A tuple is closed: it has as many items as it lists. */
function toItems(items: Declared['items']): Pick<JsonSchema, 'items' | 'prefixItems'> {
  if (items === undefined) return {}
  return Array.isArray(items)
    ? { prefixItems: items.map(toReference), items: false }
    : { items: toReference(items) }
}

/** TypeBox leaves the type of enumerations out, which generators of clients need. */
const typeOfValues = (values: readonly (string | number)[]): string =>
  values.every((value) => typeof value === 'string') ? 'string' : 'integer'
