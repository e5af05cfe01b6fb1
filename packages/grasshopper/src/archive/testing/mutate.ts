import fc from 'fast-check'

/** A change of a file at a position, as a fraction of its length. */
export interface Mutation {
  at: number
  kind: keyof typeof CHANGES
  bytes: Uint8Array
}

const CHANGES = {
  replace: (head: Uint8Array, rest: Uint8Array, bytes: Uint8Array) => [
    head,
    bytes,
    rest.subarray(bytes.length),
  ],
  insert: (head: Uint8Array, rest: Uint8Array, bytes: Uint8Array) => [head, bytes, rest],
  remove: (head: Uint8Array, rest: Uint8Array, bytes: Uint8Array) => [head, rest.subarray(bytes.length)],
  repeat: (head: Uint8Array, rest: Uint8Array) => [head, rest.subarray(0, 200), rest],
  cut: (head: Uint8Array) => [head],
}

/** Bytes of counts, lengths, types and tags. */
const significant = [
  ...['ffffffff', 'ffffff7f', '00000080', '00000000', '01000000', 'ffffffff0f', '8000', '50000000'].map(
    (hex) => Buffer.from(hex, 'hex'),
  ),
  ...['<item', '</items>', '<![CDATA[', '-->', '<!--', '&', '"', '&#0;', '<!DOCTYPE a', ']]>'].map((text) =>
    Buffer.from(text),
  ),
]

export const ARBITRARY_MUTATIONS: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 999_999 }).map((millionth) => millionth / 1_000_000),
    kind: fc.constantFrom(...(Object.keys(CHANGES) as Mutation['kind'][])),
    bytes: fc.oneof(fc.constantFrom(...significant), fc.uint8Array({ minLength: 1, maxLength: 12 })),
  }),
  { minLength: 1, maxLength: 3 },
)

export function mutate(file: Uint8Array, mutations: Mutation[]): Uint8Array {
  return mutations.reduce((before, { at, kind, bytes }) => {
    const start = Math.floor(at * before.length)
    return Buffer.concat(CHANGES[kind](before.subarray(0, start), before.subarray(start), bytes))
  }, file)
}
