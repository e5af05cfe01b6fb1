import { CONVERSIONS, type Conversion } from './conversions/conversions.ts'
import { TYPE_NAMES } from './conversions/port-types.ts'

type Type = keyof typeof CONVERSIONS

const TYPES = Object.keys(CONVERSIONS) as Type[]
const SIGNS = { all: '●', some: '◐' } as const

/** `docs/conversions.md`, which `npm run generate` writes from the table of conversions. */
export function conversionsPage(): string {
  const kinds = [...new Set(TYPES.flatMap((type) => Object.keys(CONVERSIONS[type])))].sort()
  const sources = [...new Set(listEntries().flatMap(([, , { fails }]) => fails ?? []))]
  const head = `| from | ${TYPES.map((type) => TYPE_NAMES[type]).join(' | ')} |`
  const rows = kinds.map((kind) => {
    const cells = TYPES.map((type) =>
      toCell((CONVERSIONS[type] as Record<string, Conversion>)[kind], sources),
    )
    return `| \`${kind}\` | ${cells.join(' | ')} |`
  })
  const lines = TYPES.map((type) => `| ${TYPE_NAMES[type]} | ${describeRow(type)} |`)
  return `# Conversions

What becomes of a value (rows, by the kind of value in the solver) at a port of another type (columns), from the table in \`packages/solver/src/conversions/conversions.ts\`. Tests try a value of every kind at every type.

● all values convert. ◐ some do: a text that can be read, a curve that is straight. ✕ Grasshopper does not convert them either, or not the others, as the numbered source says: the value is null, with the code \`failed\`. Everything else is a limit of Meadow: the outputs of the node are unknown, with the code \`limit\`.

${head}
|${' --- |'.repeat(TYPES.length + 1)}
${rows.join('\n')}

## Rules

The rules are in [the specification of the solver](../packages/solver/SPEC.md).

| Type | From |
| --- | --- |
${lines.join('\n')}

## Sources of failures

${sources.map((source, i) => `${i + 1}. ${source}.`).join('\n')}
`
}

function listEntries(): [type: Type, kind: string, conversion: Conversion][] {
  return TYPES.flatMap((type) =>
    Object.entries(CONVERSIONS[type]).map(([kind, conversion]): [Type, string, Conversion] => [
      type,
      kind,
      conversion,
    ]),
  )
}

function toCell(conversion: Conversion | undefined, sources: readonly string[]): string {
  const { converts, fails } = conversion ?? {}
  return [
    converts === undefined ? '' : SIGNS[converts],
    fails === undefined ? '' : `✕ ${sources.indexOf(fails) + 1}`,
  ]
    .join(' ')
    .trim()
}

/** `C-1 integer, number; C-2 text`: without values of the type itself. */
function describeRow(type: Type): string {
  const entries = listEntries().filter(([to, , { rule }]) => to === type && rule !== undefined)
  const rules = Map.groupBy(entries, ([, , { rule }]) => rule)
  return [...rules].map(([rule, kinds]) => `${rule} ${kinds.map(([, kind]) => kind).join(', ')}`).join('; ')
}
