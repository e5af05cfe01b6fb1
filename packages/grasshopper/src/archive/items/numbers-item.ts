import type { ItemCodec } from './item-codec.ts'
import { parseScalar, type Scalar } from './scalar.ts'

/** The shape of a value, with an XML tag in place of each number. The order is that of the bytes. */
export type TagsOf<V> = V extends number ? string : { readonly [K in keyof V]: TagsOf<V[K]> }

/** The codec of a type whose value consists of numbers of one type, in XML an element for each. */
export function numbersItem<V>(
  code: number,
  scalar: Scalar<number>,
  shape: NoInfer<TagsOf<V>>,
): ItemCodec<V> {
  const tags = listTags(shape)
  return {
    code,
    tags,
    accepts: (value) => listNumbers(shape, value).every(scalar.accepts),
    read: (reader) => build(shape, () => scalar.read(reader)) as V,
    write(writer, value) {
      for (const number of listNumbers(shape, value)) scalar.write(writer, number)
    },
    parse({ fields }) {
      let next = 0
      return build(shape, () => parseScalar(scalar, fields[next++]!.text.trim())) as V
    },
    format(value, style) {
      const texts = listNumbers(shape, value).map((number) => scalar.format(number, style))
      return { text: '', fields: texts.map((text, at) => ({ tag: tags[at]!, text })) }
    },
  }
}

type Shape = string | { readonly [key: string]: Shape }

function listTags(shape: Shape): string[] {
  return typeof shape === 'string' ? [shape] : Object.values(shape).flatMap(listTags)
}

function listNumbers(shape: Shape, value: unknown): number[] {
  if (typeof shape === 'string') return [value as number]
  const parts = value as { readonly [key: string]: unknown }
  return Object.entries(shape).flatMap(([key, inner]) => listNumbers(inner, parts[key]))
}

function build(shape: Shape, next: () => number): unknown {
  if (typeof shape === 'string') return next()
  const value: Record<string, unknown> = {}
  for (const key in shape) value[key] = build(shape[key]!, next)
  return value
}
