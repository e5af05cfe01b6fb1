import type { DataTree, DataValue } from '@meadow/document'
import type { Change, GroupName, LayoutChange, NodeName, PortAt, PortName } from './change.ts'

/** Texts and lists are cut at this many characters. */
const MAX_CHARACTERS = 60

/**
 * One change as a line of plain English, for example `Values of Height: 3 → 4.5`. Nodes and ports have the names of the
 * canvas. The line has no control characters.
 */
export function describeChange(change: Change | LayoutChange): string {
  const inside = change.clusters?.map((cluster) => `${nameOf(cluster)} › `).join('') ?? ''
  return `${inside}${describe(change)}`.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ')
}

function describe(change: Change | LayoutChange): string {
  switch (change.kind) {
    case 'node_added':
      return `${componentOf(change.node)} was added${withWires(change.wires.length)}`
    case 'node_removed':
      return `${componentOf(change.node)} was removed${withWires(change.wires.length)}`
    case 'node_replaced':
      return `${componentOf(change.before)} was replaced by ${componentOf(change.after)}`
    case 'node_renamed':
      return `${nameOf(change.before)} was renamed to ${nameOf(change.after)}`
    case 'node_enabled':
      return `${nameOf(change.node)} was ${change.after ? 'enabled' : 'disabled'}`
    case 'node_previewed':
      return `The preview of ${nameOf(change.node)} was switched ${change.after ? 'on' : 'off'}`
    case 'port_added':
      return `${describePort(change)} was added${withWires(change.wires.length)}`
    case 'port_removed':
      return `${describePort(change)} was removed${withWires(change.wires.length)}`
    case 'ports_reordered':
      return `The ${change.side}s of ${nameOf(change.node)} are in another order: ${change.after.map(nameOf).join(', ')}`
    case 'port_renamed':
      return `${describePort({ node: change.node, port: { ...change.port, ...change.before } })} was renamed to ${nameOf(change.after)}`
    case 'port_flags':
      return `${describePort(change)}: ${list(change.before)} → ${list(change.after)}`
    case 'port_changed':
      return `${describePort(change)}: ${describeMembers({ ...change.before }, { ...change.after })}`
    case 'wire_added':
      return `A wire from ${endOf(change.from)} to ${endOf(change.to)} was added`
    case 'wire_removed':
      return `The wire from ${endOf(change.from)} to ${endOf(change.to)} was removed`
    case 'wire_replaced':
      return `${endOf(change.to)} takes ${endOf(change.after)} instead of ${endOf(change.before)}`
    case 'wires_reordered':
      return `The wires into ${endOf(change.to)} are in another order: ${change.after.map(endOf).join(', ')}`
    case 'values_changed':
      return `Values of ${endOf(change)}: ${describeTree(change.before)} → ${describeTree(change.after)}`
    case 'settings_changed':
      return `Settings of ${nameOf(change.node)}: ${describeMembers(change.before, change.after)}`
    case 'other_settings':
      return `Other settings of ${ownerOf(change)}: ${cut(change.names.join(', '))}`
    case 'script_changed':
      return `The script of ${nameOf(change.node)} was changed: ${countLines(change.parts)}`
    case 'cluster_changed':
      return `About the cluster ${nameOf(change.node)}: ${describeMembers({ ...change.before }, { ...change.after })}`
    case 'group_added':
      return `${groupOf(change.group)} was added with ${count(change.after.nodeInstanceIds.length, 'node')}`
    case 'group_removed':
      return `${groupOf(change.group)} was removed`
    case 'group_renamed':
      return `${groupOf({ ...change.group, label: change.before })} was relabelled ${quote(change.after)}`
    case 'group_members':
      return `${groupOf(change.group)}: ${describeMembersOfGroup(change.added, change.removed)}`
    case 'pin_added':
      return `${endOf(change.pin)} was pinned as an ${change.side}`
    case 'pin_removed':
      return `${endOf(change.pin)} is no longer pinned as an ${change.side}`
    case 'pins_reordered':
      return `The pinned ${change.side}s are in another order: ${change.after.map(endOf).join(', ')}`
    case 'node_moved':
      return `${nameOf(change.node)} was moved by ${offset(change.before.x, change.after.x)}, ${offset(change.before.y, change.after.y)}`
    case 'node_look':
      return `Look of ${nameOf(change.node)}: ${describeMembers(change.before, change.after)}`
    case 'node_recreated':
      return `${componentOf(change.node)} has another id`
    case 'wires_look':
      return `Wires into ${endOf(change)} are drawn ${change.after ?? 'as usual'}`
    case 'group_colour':
      return `Colour of ${groupOf(change.group)}: ${change.before} → ${change.after}`
    case 'groups_reordered':
      return 'The groups are drawn in another order'
  }
}

const nameOf = ({ name, nickName }: { name: string; nickName: string }): string =>
  cut(nickName || name || '(no name)')

/** A node with the name of its component, where that is another one. */
const componentOf = (node: { name: string; nickName: string }): string =>
  node.nickName && node.name && node.nickName !== node.name
    ? `${nameOf(node)} (${cut(node.name)})`
    : nameOf(node)

const describePort = ({ node, port }: { node: NodeName; port: PortName }): string =>
  port.instanceId === node.instanceId ? nameOf(node) : `The ${port.side} ${nameOf(port)} of ${nameOf(node)}`

/** A port of a parameter object goes by the name of the node. */
const endOf = ({ node, port }: PortAt): string =>
  port.instanceId === node.instanceId ? nameOf(node) : `${nameOf(node)}.${nameOf(port)}`

const groupOf = ({ label }: GroupName): string =>
  label ? `The group ${quote(label)}` : 'A group without label'

const ownerOf = ({ node, group }: { node?: NodeName; group?: GroupName }): string =>
  node
    ? nameOf(node)
    : group
      ? groupOf(group).replace(/^(The|A) /, (start) => start.toLowerCase())
      : 'the file'

const withWires = (wires: number): string => (wires === 0 ? '' : ` with ${count(wires, 'wire')}`)

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

const list = (words: readonly string[]): string => (words.length === 0 ? 'no flags' : words.join(', '))

const quote = (text: string): string => JSON.stringify(cut(text))

const cut = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : text

function offset(before: number, after: number): string {
  const difference = Number((after - before).toFixed(2))
  return difference > 0 ? `+${difference}` : String(difference)
}

function countLines(parts: readonly { hunks: readonly { lines: readonly string[] }[] }[]): string {
  const lines = parts.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
  const [added, removed] = ['+', '-'].map((sign) => lines.filter((line) => line.startsWith(sign)).length)
  return `+${added} −${removed} lines`
}

function describeMembersOfGroup(
  added: readonly (NodeName | GroupName)[],
  removed: readonly (NodeName | GroupName)[],
): string {
  const say = (members: readonly (NodeName | GroupName)[]) =>
    cut(members.map((member) => ('label' in member ? groupOf(member) : nameOf(member))).join(', '))
  const parts = [
    ...(added.length > 0 ? [`added ${say(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${say(removed)}`] : []),
  ]
  return parts.join('; ')
}

/** `minimum 0 → 1, maximum 5 → 10` */
function describeMembers(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.map((name) => `${name} ${show(before[name])} → ${show(after[name])}`).join(', ')
}

function show(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  return typeof value === 'string' ? quote(value) : cut(JSON.stringify(value))
}

/** The values of a port in a few words: one value as it is, others by their number. */
function describeTree(tree: DataTree | null): string {
  const branches = tree?.branches ?? []
  const values = branches.flatMap((branch) => branch.values)
  if (values.length === 0) return 'none'
  if (values.length <= 3 && branches.length === 1) return cut(values.map(describeValue).join(', '))
  return branches.length === 1
    ? count(values.length, 'value')
    : `${count(values.length, 'value')} in ${count(branches.length, 'branch').replace(/branchs$/, 'branches')}`
}

function describeValue(value: DataValue | null): string {
  if (!value) return 'null'
  if (value.referenceId) return `${value.type} of a model`
  if (typeof value.value === 'string') return value.type === 'string' ? quote(value.value) : value.value
  if (typeof value.value !== 'object') return String(value.value)
  return 'description' in value.value ? value.value.description : cut(JSON.stringify(value.value))
}
