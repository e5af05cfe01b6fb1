import { type Contract, type JsonSchema, nameOfReference } from '@meadow/contract/description'
import { capitalise, docstring, indent, literal } from './text.ts'

/** Words that cannot be the name of an attribute. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** The source of each type by its name, in the order in which they are needed. */
export type WrittenTypes = Map<string, string>

/** Writes the types of the named schemas: a `TypedDict` for each object, an alias for anything else. */
export function writeTypes({ schemas }: Contract): WrittenTypes {
  const types: WrittenTypes = new Map()
  for (const [name, schema] of Object.entries(schemas)) {
    const type = typeOf(schema, name, types)
    if (type !== `"${name}"`) types.set(name, `${name} = ${type}${aboutField(schema)}`)
  }
  return types
}

/**
 * Returns the type of values of a schema. Objects without a name of their own are added to `types`, under names that
 * begin with `name`. Names of types are quoted, since they may be declared later.
 */
export function typeOf(schema: JsonSchema, name: string, types: WrittenTypes): string {
  if (schema.$ref !== undefined) return `"${nameOfReference(schema.$ref)}"`
  if ('const' in schema) return `Literal[${literal(schema.const)}]`
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
  if (schema.anyOf) return typeOfUnion(schema.anyOf, name, types)
  // JSON has a list in place of a tuple.
  if (schema.prefixItems) return `list[${union(schema.prefixItems.map((item) => typeOf(item, name, types)))}]`
  if (schema.items) return `list[${typeOf(schema.items, toSingular(name), types)}]`
  if (schema.type === 'object') return typeOfObject(schema, name, types)
  return SCALARS[schema.type ?? ''] ?? 'Any'
}

function typeOfObject(schema: JsonSchema, name: string, types: WrittenTypes): string {
  const { properties, additionalProperties } = schema
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined
  if (!properties) return `dict[str, ${others ? typeOf(others, toSingular(name), types) : 'Any'}]`
  // No type of Python 3.9 has both known and unknown keys.
  if (others) return 'dict[str, Any]'
  types.set(name, writeObject(schema, name, types))
  return `"${name}"`
}

function typeOfUnion(members: readonly JsonSchema[], name: string, types: WrittenTypes): string {
  return union(members.map((member) => typeOf(member, nameOfMember(member, members, name), types)))
}

/** Returns a union of types, each listed once. */
function union(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  const values = distinct.filter((type) => type !== 'None')
  const one = values.length === 1 ? values[0]! : `Union[${values.join(', ')}]`
  return values.length < distinct.length ? `Optional[${one}]` : one
}

/** Names a member of a union after its constant, or after the first property that only it has. */
function nameOfMember(member: JsonSchema, members: readonly JsonSchema[], name: string): string {
  const properties = Object.entries(member.properties ?? {})
  const constant = properties.find(([, { const: value }]) => typeof value === 'string')
  if (constant) return capitalise(String(constant[1].const)) + name
  const others = members.filter((other) => other !== member)
  const own = properties.find(([key]) => others.every((other) => !(key in (other.properties ?? {}))))
  return own ? `${name}With${capitalise(own[0])}` : name
}

const toSingular = (name: string): string => name.replace(/ches$/, 'ch').replace(/(?<=[^s])s$/, '')

/**
 * Writes an object. Members that may be absent are in a class of their own, since Python 3.9 cannot mark them one by
 * one.
 */
function writeObject(schema: JsonSchema, name: string, types: WrittenTypes): string {
  const { properties = {}, required = [], description } = schema
  const fields = Object.entries(properties).map(([key, property]) => ({
    key,
    isRequired: required.includes(key),
    type: typeOf(property, name + capitalise(key), types),
    about: aboutField(property),
  }))
  const always = fields.filter(({ isRequired }) => isRequired)
  const sometimes = fields.filter(({ isRequired }) => !isRequired)
  if (fields.some(({ key }) => KEYWORDS.has(key))) return writeCall(name, always, sometimes)
  if (sometimes.length === 0) return writeClass(name, 'TypedDict', description, always)
  if (always.length === 0) return writeClass(name, 'TypedDict, total=False', description, sometimes)
  const base = `_${name}Always`
  return [
    writeClass(base, 'TypedDict', undefined, always),
    writeClass(name, `${base}, total=False`, description, sometimes),
  ].join('\n\n\n')
}

interface Field {
  key: string
  type: string
  about: string
}

/** Writes the docstring that editors show for a field or alias. */
const aboutField = ({ description }: JsonSchema): string =>
  description === undefined ? '' : `\n${docstring(description)}`

function writeClass(
  name: string,
  bases: string,
  description: string | undefined,
  fields: readonly Field[],
): string {
  const about = description === undefined ? [] : [`${docstring(description)}\n`]
  if (fields.length === 0) about.push('pass')
  const lines = fields.map((field) => `${field.key}: ${field.type}${field.about}`)
  return `class ${name}(${bases}):\n${indent([...about, ...lines].join('\n'))}`
}

/** Writes a `TypedDict` as a call, since a key that is a keyword, such as `from`, cannot be a field of a class. */
function writeCall(name: string, always: readonly Field[], sometimes: readonly Field[]): string {
  if (sometimes.length > 0)
    throw new Error(`${name} has members that may be absent and a key that is a keyword.`)
  const members = always.map(({ key, type }) => `${literal(key)}: ${type}`).join(', ')
  return `${name} = TypedDict("${name}", {${members}})`
}
