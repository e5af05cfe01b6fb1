import type { JsonSchema } from '@meadow/contract/description'
import { type Html, html, inline } from './html.ts'

export type Schemas = Readonly<Record<string, JsonSchema>>

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

/** Returns the address of a named schema on the page. */
export const schemaAnchor = (name: string): string => `schema-${name}`

/** Describes a type in a few words; named schemas are links to their sections. */
export function typeOf(schema: JsonSchema): Html {
  const { $ref, prefixItems, items, anyOf } = schema
  if ($ref !== undefined) return html`<a href="#${schemaAnchor(nameOf($ref))}">${nameOf($ref)}</a>`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum)
    return join(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    )
  if (anyOf) return join(listTypes(anyOf), ' or ')
  if (prefixItems) return html`[ ${join(prefixItems.map(typeOf), ', ')} ]`
  if (items) return html`array of ${typeOf(items)}`
  const map = mapValues(schema)
  if (map && !schema.properties) return html`object: by key ${typeOf(map)}`
  const detail = schema.format ?? schema.contentEncoding ?? schema.pattern
  return html`${schema.type ?? 'any'}${detail !== undefined && html` (${detail})`}`
}

/** Lists the different types of several schemas. */
function listTypes(schemas: readonly JsonSchema[]): Html[] {
  const types = new Map(schemas.map((schema) => [typeOf(schema).text, typeOf(schema)]))
  return [...types.values()]
}

const join = (parts: readonly Html[], between: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${between}${part}`))}`

/** Returns the schema of what an object holds under keys that are not fixed. */
function mapValues({ additionalProperties }: JsonSchema): JsonSchema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** How schemas are shown: named ones in place, or only as links. */
export interface SchemaView {
  schemas: Schemas
  isExpanded: boolean
  /** The named schemas that the fields are in: one that contains itself is shown in place once. */
  within?: readonly string[]
  /**
   * What the fields belong to: their ids on the page and names in the search begin with it. Without it, they have
   * neither.
   */
  owner?: { id: string; name: string }
}

/**
 * Lists the fields of a schema, with the fields of its parts in elements that can be expanded; undefined when it has
 * none.
 */
export function fieldsOf(schema: JsonSchema, view: SchemaView): Html | undefined {
  if (schema.$ref !== undefined) {
    const [name, { within = [] }] = [nameOf(schema.$ref), view]
    if (!view.isExpanded || within.includes(name)) return undefined
    return fieldsOf(view.schemas[name]!, { ...view, within: [...within, name] })
  }
  if (schema.anyOf) return variantsOf(schema.anyOf, view)
  const part = schema.items || schema.prefixItems?.[0]
  if (part) return fieldsOf(part, view)
  const map = mapValues(schema)
  if (!schema.properties) return map && fieldsOf(map, view)
  const required = new Set(schema.required)
  return html`<ul class="fields">${[
    ...Object.entries(schema.properties).map(([name, field]) =>
      row({ name, schema: field, note: required.has(name) ? '' : 'optional' }, view),
    ),
    map && row({ name: 'any other key', schema: map, note: '' }, withoutOwner(view)),
  ]}</ul>`
}

const withoutOwner = ({ owner: _, ...view }: SchemaView): SchemaView => view

interface Row {
  name: string
  schema: JsonSchema
  /** A note behind the name and type, such as `optional`. */
  note: string
}

/** Shows one field or parameter: name, type, description and, to be expanded, its own fields. */
export function row({ name, schema, note }: Row, view: SchemaView): Html {
  const { default: byDefault, examples } = schema
  const { owner, ...rest } = view
  const own = owner && { id: `${owner.id}.${name}`, name: `${owner.name}.${name}` }
  const fields = fieldsOf(schema, own ? { ...rest, owner: own } : rest)
  return html`<li${own && html` id="${own.id}" data-find="${own.name}"`}><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${
    note !== '' && html` <em>${note}</em>`
  }${byDefault !== undefined && html` <span class="type">default <code>${String(byDefault)}</code></span>`}${
    schema.description !== undefined && html` <span class="about">${inline(schema.description)}</span>`
  }${examples && html` <span class="type">such as <code>${String(examples[0])}</code></span>`}${
    fields && html`<details><summary>Fields of ${name}</summary>${fields}</details>`
  }</li>`
}

/** Lists the alternatives of a union that have fields. */
function variantsOf(variants: readonly JsonSchema[], view: SchemaView): Html | undefined {
  const tagged = findTagged(variants)
  if (tagged) return taggedFields(tagged, view)
  const shown = variants.flatMap((variant) => {
    const fields = fieldsOf(variant, view)
    return fields ? [{ name: variantName(variant), fields }] : []
  })
  if (shown.length === 0) return undefined
  if (shown.length === 1) return shown[0]!.fields
  return html`${shown.map(({ name, fields }) => html`<details><summary>${name}</summary>${fields}</details>`)}`
}

/** Objects that differ in one field alone, whose schema follows from the constant in another one. */
interface Tagged {
  tag: string
  varying: string
  values: [constant: unknown, schema: JsonSchema][]
  /** One of the variants, from which the fields are taken that all of them have. */
  sample: JsonSchema
}

function findTagged(variants: readonly JsonSchema[]): Tagged | undefined {
  const [sample] = variants
  const tag = Object.entries(sample?.properties ?? {}).find(([, field]) => field.const !== undefined)?.[0]
  if (tag === undefined || variants.some(({ properties }) => properties?.[tag]?.const === undefined))
    return undefined
  const varying = Object.keys(sample!.properties!).filter(
    (name) =>
      name !== tag && new Set(variants.map(({ properties }) => JSON.stringify(properties![name]))).size > 1,
  )
  if (varying.length !== 1) return undefined
  const values = variants.map(({ properties }): [unknown, JsonSchema] => [
    properties![tag]!.const,
    properties![varying[0]!]!,
  ])
  return { tag, varying: varying[0]!, values, sample: sample! }
}

/** Lists the shapes of the varying field by the constant, then the fields that all variants have. */
function taggedFields({ tag, varying, values, sample }: Tagged, owned: SchemaView): Html {
  const view = withoutOwner(owned)
  const { [tag]: __, [varying]: ___, ...common } = sample.properties!
  return html`<ul class="fields"><li><code class="name">${tag}</code> <span class="type">string</span>
<span class="about">What <code>${varying}</code> is.</span></li><li><code class="name">${varying}</code>
<span class="about">By <code>${tag}</code>:</span><ul class="fields variants">${values.map(
    ([constant, schema]) => row({ name: JSON.stringify(constant), schema, note: '' }, view),
  )}</ul></li>${Object.entries(common).map(([name, schema]) =>
    row({ name, schema, note: sample.required?.includes(name) ? '' : 'optional' }, view),
  )}</ul>`
}

function variantName(variant: JsonSchema): Html {
  if (variant.$ref !== undefined) return html`${nameOf(variant.$ref)}`
  const fixed = Object.entries(variant.properties ?? {}).find(([, field]) => field.const !== undefined)
  return fixed ? html`${fixed[0]} <code>${JSON.stringify(fixed[1].const)}</code>` : html`otherwise`
}
