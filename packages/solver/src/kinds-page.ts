import { describeKinds, type KindDescription, type PortDescription } from './kinds/describe-kinds.ts'
import { listUnsupported } from './kinds/unsupported.ts'
import type { SourceKind } from './testing/reference/case-file.ts'
import { describeVerification, type Verification } from './testing/reference/verification.ts'

/** `docs/kinds.md`, which `npm run generate` writes from the declarations of all kinds and the reference cases. */
export function kindsPage(): string {
  const kinds = describeKinds()
  const verified = describeVerification()
  const families = Map.groupBy(kinds, ({ family }) => family)
  const sections = [...families].map(([family, members]) => `## ${family}\n\n${table(members, verified)}\n`)
  return `# Kinds of nodes

The ${kinds.length} component classes that the solver solves, from their declarations in \`packages/solver/src/kinds\`. [The rules of the solver](../packages/solver/SPEC.md) describe how data reaches and leaves them.

Ports are written \`Name (nickname): Type\`; \`*\` takes or gives a list, \`**\` a tree; \`?\` runs without data; \`…\` can be there several times. A port of type Data takes anything. Where a component has kept its name through several versions, each class has a line.

A cluster is solved by its content, as far as that consists of these kinds, if its document has the file that it was imported from.

## How they are verified

${summarise(kinds, verified)}

${sections.join('\n')}
## Not supported

Kinds that could only be approximated are not supported; an error on the node gives the reason. Scripts (C#, Python, VB) are never run. Unsupported components that come with Grasshopper and occur in files:

${listUnsupportedKinds()}
`
}

function listUnsupportedKinds(): string {
  const reasons = Map.groupBy(listUnsupported(), ({ reason }) => reason)
  const lines = [...reasons].map(
    ([reason, kinds]) => `- ${kinds.map(({ name }) => toCell(name)).join(', ')}: ${reason}.`,
  )
  return lines.join('\n')
}

type Verifications = ReadonlyMap<string, Verification>

function summarise(kinds: readonly KindDescription[], verified: Verifications): string {
  const count = (isCounted: (verification: Verification) => boolean) =>
    kinds.filter(({ guid }) => isCounted(verified.get(guid) ?? NONE)).length
  const withCases = count(({ cases }) => cases.size > 0)
  const fromRhino = count(({ cases }) => cases.has('recorded') || cases.has('openNURBS'))
  const tested = count(({ cases, hasUnitTests }) => cases.size === 0 && hasUnitTests)
  const others = count(({ cases, hasUnitTests }) => cases.size === 0 && !hasUnitTests)
  return `The column *Verified* counts the cases of a kind in [the reference suite](../packages/solver/reference/README.md) by the source of their results: *recorded* of Grasshopper 8, *documented*, *published* tests, *calculated*, or evaluated by *openNURBS*. Classes of one declaration share their cases and tests.

- ${withCases} classes have reference cases, ${fromRhino} of them recorded ones or ones of openNURBS.
- ${tested} are verified by unit tests only (*unit tests*), whose results were worked out by hand.
- ${others} have neither: those that only draw (*draws only*), and parameters whose values Meadow passes on without reading them (*not verified*).
- All of them run on any and on hostile values: empty, null, unknown, not finite, huge, of another type, and degenerate geometry. These runs show that a kind ends and gives valid values, not that the values are Grasshopper's.`
}

const NONE: Verification = { cases: new Map(), hasUnitTests: false }

const SOURCE_WORDS: { readonly [K in SourceKind]: string } = {
  recorded: 'recorded',
  documentation: 'documented',
  'published test': 'published',
  mathematics: 'calculated',
  openNURBS: 'openNURBS',
}

/** `3 recorded, 1 calculated`, `unit tests`, `draws only` or `not verified`. */
function formatVerification({ cases, hasUnitTests }: Verification, drawsOnly: boolean): string {
  const parts = Object.entries(SOURCE_WORDS).flatMap(([source, word]) => {
    const count = cases.get(source as SourceKind)
    return count === undefined ? [] : [`${count} ${word}`]
  })
  if (parts.length > 0) return parts.join(', ')
  if (hasUnitTests) return 'unit tests'
  return drawsOnly ? 'draws only' : 'not verified'
}

function table(kinds: readonly KindDescription[], verified: Verifications): string {
  const rows = kinds.map(({ name, inputs, outputs, description, guid }) =>
    [
      name,
      listPorts(inputs),
      listPorts(outputs),
      description,
      formatVerification(verified.get(guid) ?? NONE, inputs.length > 0 && outputs.length === 0),
      `\`${guid}\``,
    ].map(toCell),
  )
  const titles = ['Kind', 'Inputs', 'Outputs', 'What it does', 'Verified', 'Class']
  const lines = [titles, titles.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const ACCESS_SUFFIXES = { item: '', list: '*', tree: '**' } as const

function listPorts(ports: readonly PortDescription[]): string {
  return ports
    .map(({ name, nickName, type, access, isOptional, isRepeated }) => {
      const label = name === nickName ? name : `${name} (${nickName})`
      return `${label}: ${type}${ACCESS_SUFFIXES[access]}${isOptional ? '?' : ''}${isRepeated ? ' …' : ''}`
    })
    .join('; ')
}

/** Escapes the characters that a Markdown table cell cannot contain. */
function toCell(text: string): string {
  return text.replace(/[|*<>]/g, '\\$&')
}
