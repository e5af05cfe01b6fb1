import type { Output } from '@meadow/command'
import { type Change, type Difference, describeChange, type LayoutChange, type NodeName } from '@meadow/diff'

type Style = Output['style']

/**
 * Formats a difference for people: a line for each change, the changes of a node below its name, and scripts as unified
 * hunks.
 */
export function formatDifference({ changes, layout }: Difference, withLayout: boolean, style: Style): string {
  const shown =
    withLayout && layout.length > 0 ? ['', style('bold', 'Layout'), ...listLines(layout, style)] : []
  return [...listLines(changes, style), ...shown, '', summarise(changes, layout, withLayout)]
    .join('\n')
    .trimStart()
}

function listLines(changes: readonly (Change | LayoutChange)[], style: Style): string[] {
  const lines: string[] = []
  for (let start = 0; start < changes.length; ) {
    const owner = keyOf(changes[start]!)
    let end = start + 1
    while (owner !== undefined && end < changes.length && keyOf(changes[end]!) === owner) end++
    const isGroup = end - start > 1
    if (isGroup) lines.push(style('bold', nameOf(changes[start]!)))
    for (const change of changes.slice(start, end))
      lines.push(...formatChange(change, isGroup ? '  ' : '', style))
    start = end
  }
  return lines
}

/** Identifies the node of a change, with the clusters around it; undefined for groups and pins. */
function keyOf(change: Change | LayoutChange): string | undefined {
  const node = ownerOf(change)
  return node && [...(change.clusters ?? []), node].map(({ instanceId }) => instanceId).join('/')
}

const ownerOf = (change: Change | LayoutChange): NodeName | undefined =>
  'node' in change ? change.node : 'to' in change ? change.to.node : undefined

function nameOf(change: Change | LayoutChange): string {
  const path = [...(change.clusters ?? []), ownerOf(change)!]
  return path.map(({ name, nickName }) => nickName || name).join(' › ')
}

const SIGNS = [
  { ends: '_added', sign: '+', colour: 'green' },
  { ends: '_removed', sign: '-', colour: 'red' },
] as const

function formatChange(change: Change | LayoutChange, indent: string, style: Style): string[] {
  const { sign, colour } = SIGNS.find(({ ends }) => change.kind.endsWith(ends)) ?? {
    sign: '~',
    colour: 'yellow',
  }
  const line = `${indent}${style(colour, `${sign} ${describeChange(change)}`)}`
  return change.kind === 'script_changed' ? [line, ...formatScript(change, `${indent}  `, style)] : [line]
}

function formatScript(
  { parts }: Change & { kind: 'script_changed' },
  indent: string,
  style: Style,
): string[] {
  return parts.flatMap(({ part, hunks }) => [
    ...(part === 'source' ? [] : [`${indent}${part}:`]),
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `${indent}${style('cyan', `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`)}`,
      ...lines.map((line) => `${indent}${paintLine(line, style)}`),
    ]),
  ])
}

function paintLine(line: string, style: Style): string {
  if (line.startsWith('+')) return style('green', line)
  return line.startsWith('-') ? style('red', line) : line
}

function summarise(changes: readonly Change[], layout: readonly LayoutChange[], withLayout: boolean): string {
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
  const hidden = withLayout || layout.length === 0 ? '' : '; --layout shows them'
  const ofLayout = layout.length === 0 ? '' : `, ${layout.length} of the layout${hidden}`
  return `${count(changes.length, 'change')}${ofLayout}.`
}
