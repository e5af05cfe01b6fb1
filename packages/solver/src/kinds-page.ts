import { describeKinds, type KindDescription, type PortDescription } from './kinds/describe-kinds.ts'
import { listUnsupported } from './kinds/unsupported.ts'

/**
 * Generates `docs/kinds.md` from the declarations of all kinds. A test compares both; after a change run `node
 * packages/solver/src/kinds-page.ts > docs/kinds.md`.
 */
export function kindsPage(): string {
  const families = Map.groupBy(describeKinds(), ({ family }) => family)
  const count = [...families.values()].reduce((sum, { length }) => sum + length, 0)
  const sections = [...families].map(([family, kinds]) => `## ${family}\n\n${table(kinds)}\n`)
  return `# Kinds of nodes

The ${count} component classes that the solver solves, from their declarations in \`packages/solver/src/kinds\`. [The rules of the solver](../packages/solver/SPEC.md) describe how data reaches and leaves them.

Ports are written \`Name (nickname): Type\`; \`*\` takes or gives a list, \`**\` a tree; \`?\` runs without data; \`…\` can be there several times. A port of type Data takes anything. Where a component has kept its name through several versions, each class has a line.

A cluster is solved by its content, as far as that consists of these kinds, if its document has the file that it was imported from.

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

function table(kinds: readonly KindDescription[]): string {
  const rows = kinds.map(({ name, inputs, outputs, description, guid }) =>
    [name, listPorts(inputs), listPorts(outputs), description, `\`${guid}\``].map(toCell),
  )
  const lines = [['Kind', 'Inputs', 'Outputs', 'What it does', 'Class'], Array(5).fill('---'), ...rows]
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

if (import.meta.main) process.stdout.write(kindsPage())
