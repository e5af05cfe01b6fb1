import type { Group, Node, PortReference } from '@meadow/document'
import type { Change, GroupName, LayoutChange, NodeName, PortAt, PortName, Wire } from '../changes/change.ts'
import { type Difference, type DocumentContent, diffDocuments } from '../changes/diff-documents.ts'
import {
  findExtension,
  isExpressed,
  type Json,
  OPTIONS,
  toArgb,
  toInternalizedData,
  toModifiers,
  toPivot,
  toSettings,
} from './ghjson.ts'

/**
 * A patch of GhJSON documents, schema 1.0. Source: the GhPatch specification of github.com/architects-toolkit/ghjson-spec,
 * a draft.
 */
export interface GhPatch {
  schema: '1.0'
  kind: 'ghpatch'
  patch: Json
}

/** A change that the format cannot express, or not for certain. */
export interface OmittedChange {
  change: Change | LayoutChange
  /** Why, as the end of a sentence. */
  reason: string
}

const NO_PARAMETERS = 'GhPatch neither adds nor removes nor orders parameters'
const NO_OBJECT_PARAMETERS = 'GhJSON does not say where the settings of a parameter object are'

/**
 * The difference of two documents as a GhPatch, with what it cannot express. GhJSON numbers components: the older
 * document's are numbered from 1 in the order of its record, which is that of a file; added ones follow. The patch has no
 * checksum of its base, which only a GhJSON document has.
 */
export function toGhPatch(
  before: DocumentContent,
  after: DocumentContent,
  difference: Difference = diffDocuments(before, after),
): { patch: GhPatch; omitted: OmittedChange[] } {
  const writer = new GhPatchWriter(before, after, difference)
  for (const change of [...difference.changes, ...difference.layout]) writer.write(change)
  return writer.finish()
}

class GhPatchWriter {
  readonly #before: DocumentContent
  readonly #after: DocumentContent
  /** Numbers of components, by their id in the older document, or in the newer one for added ones. */
  readonly #numbers: Map<string, number>
  readonly #previousIds = new Map<string, string>()
  readonly #replaced = new Set<string>()
  readonly #omitted: OmittedChange[] = []
  readonly #components = { add: [] as Json[], remove: [] as Json[], modify: new Map<string, Json>() }
  readonly #connections = { add: new Map<string, Json>(), remove: new Map<string, Json>() }
  readonly #groups = { add: [] as Json[], remove: [] as Json[], modify: new Map<string, Json>() }

  constructor(before: DocumentContent, after: DocumentContent, { changes, layout }: Difference) {
    this.#before = before
    this.#after = after
    this.#numbers = new Map(Object.keys(before.nodes).map((id, i) => [id, i + 1]))
    for (const change of [...changes, ...layout]) {
      if (change.clusters) continue
      if (change.kind === 'node_recreated') this.#previousIds.set(change.after, change.before)
      if (change.kind === 'node_added') this.#numbers.set(change.node.instanceId, this.#numbers.size + 1)
      if (change.kind === 'node_replaced') {
        this.#replaced.add(change.node.instanceId)
        this.#previousIds.delete(change.node.instanceId)
        this.#numbers.set(`new ${change.node.instanceId}`, this.#numbers.size + 1)
      }
    }
  }

  write(change: Change | LayoutChange): void {
    const reason = change.clusters ? 'GhJSON has no contents of clusters' : this.#express(change)
    if (reason !== undefined) this.#omitted.push({ change, reason })
  }

  finish(): { patch: GhPatch; omitted: OmittedChange[] } {
    const components = toSection(this.#components)
    const connections = toSection(this.#connections)
    const groups = toSection(this.#groups)
    const patch = {
      base: { schema: '1.0' },
      ...(components ? { components } : {}),
      ...(connections ? { connections } : {}),
      ...(groups ? { groups } : {}),
    }
    return { patch: { schema: '1.0', kind: 'ghpatch', patch }, omitted: this.#omitted }
  }

  /** Adds a change to the patch; returns the reason when that is not possible. */
  #express(change: Change | LayoutChange): string | undefined {
    switch (change.kind) {
      case 'node_added':
        this.#components.add.push(this.#toComponent(change.after, this.#numberOf(change.node)))
        for (const wire of change.wires) this.#connect('add', wire)
        this.#joinGroups(change.node)
        return undefined
      case 'node_removed':
        this.#components.remove.push(this.#matchOf(change.node))
        return undefined
      case 'node_replaced':
        return this.#replace(change)
      case 'node_renamed': {
        const { before, after } = change
        this.#set(change.node, {
          ...(before.name === after.name ? {} : { name: after.name }),
          ...(before.nickName === after.nickName ? {} : { nickName: after.nickName }),
        })
        return undefined
      }
      case 'node_enabled':
        this.#setState(change.node, { locked: !change.after })
        return undefined
      case 'node_previewed':
        this.#setState(change.node, { hidden: !change.after })
        return undefined
      case 'node_moved':
        if (!this.#replaced.has(change.node.instanceId))
          this.#set(change.node, { pivot: toPivot(change.after) })
        return undefined
      case 'node_recreated':
        if (!UUID.test(change.after)) return 'the id is no UUID'
        this.#set(change.node, { instanceGuid: change.after })
        return undefined
      case 'port_flags':
        return this.#setPort(change, toModifiers(change.after))
      case 'port_renamed':
        if (change.before.name !== change.after.name) return 'GhPatch finds parameters by their name'
        return this.#setPort(change, { nickName: change.after.nickName })
      case 'port_changed':
        return this.#changePort(change)
      case 'values_changed':
        return this.#setValues(change)
      case 'wire_added':
        return this.#connect('add', change)
      case 'wire_removed':
        return this.#connect('remove', change)
      case 'wire_replaced':
        return (
          this.#connect('remove', { from: change.before, to: change.to }) ??
          this.#connect('add', { from: change.after, to: change.to })
        )
      case 'settings_changed':
      case 'node_look': {
        const kind = this.#after.nodes[change.node.instanceId]?.state?.kind
        const isWhole = Object.keys(change.after).every((member) => isExpressed(kind, member))
        return isWhole ? this.#setExtension(change.node) : 'GhJSON has no such setting'
      }
      case 'script_changed':
        return this.#setExtension(change.node)
      case 'group_added':
        if (change.after.groupIds.length > 0) return 'GhJSON has no groups in groups'
        this.#groups.add.push(this.#toGroup(change.after))
        return undefined
      case 'group_removed':
        this.#groups.remove.push(matchOfGroup(change.group))
        return undefined
      case 'group_renamed':
        this.#setGroup(change.group, { name: change.after })
        return undefined
      case 'group_colour':
        this.#setGroup(change.group, { color: toArgb(change.after) })
        return undefined
      case 'group_members':
        return this.#setMembers(change)
      case 'port_added':
      case 'port_removed':
      case 'ports_reordered':
        return NO_PARAMETERS
      case 'wires_reordered':
        return 'connections have no order in GhJSON'
      case 'groups_reordered':
        return 'groups have no order in GhJSON'
      case 'wires_look':
        return 'GhJSON does not say how wires are drawn'
      case 'cluster_changed':
        return 'GhJSON has no contents of clusters'
      case 'pin_added':
      case 'pin_removed':
      case 'pins_reordered':
        return 'GhJSON has no pinned ports'
    }
  }

  #numberOf({ instanceId, previousId }: NodeName, version: 'old' | 'new' = 'new'): number {
    if (version === 'new' && this.#replaced.has(instanceId)) return this.#numbers.get(`new ${instanceId}`)!
    return this.#numbers.get(previousId ?? instanceId) ?? 0
  }

  /** The member ids of a group of the newer document: the numbers of its nodes. */
  #numberOfId(id: string): number {
    if (this.#replaced.has(id)) return this.#numbers.get(`new ${id}`)!
    return this.#numbers.get(this.#previousIds.get(id) ?? id) ?? 0
  }

  #matchOf(node: NodeName): Json {
    const id = node.previousId ?? node.instanceId
    return UUID.test(id) ? { instanceGuid: id } : { id: this.#numberOf(node, 'old') }
  }

  #modify(node: NodeName): Json {
    const id = node.previousId ?? node.instanceId
    const known = this.#components.modify.get(id) ?? { match: this.#matchOf(node) }
    this.#components.modify.set(id, known)
    return known
  }

  #set(node: NodeName, members: Json): void {
    const entry = this.#modify(node)
    entry.set = { ...(entry.set as Json | undefined), ...members }
  }

  #setState(node: NodeName, members: Json): void {
    const entry = this.#modify(node)
    const state = (entry.componentState ?? {}) as Json
    entry.componentState = { ...state, set: { ...(state.set as Json | undefined), ...members } }
  }

  #setExtension(node: NodeName): string | undefined {
    const newer = this.#after.nodes[node.instanceId]
    const extension = newer && findExtension(newer)
    if (!extension) return 'GhJSON has no form for this state'
    const entry = this.#modify(node)
    const state = (entry.componentState ?? {}) as { extensions?: { set?: Json } }
    entry.componentState = {
      ...state,
      extensions: { set: { ...state.extensions?.set, [extension.key]: extension.value } },
    }
    return undefined
  }

  #setPort(
    { node, port }: { node: NodeName; port: PortName },
    set: Json,
    remove: string[] = [],
  ): string | undefined {
    if (port.instanceId === node.instanceId) return NO_OBJECT_PARAMETERS
    const older = this.#before.nodes[node.previousId ?? node.instanceId]
    const name = older?.ports[port.previousId ?? port.instanceId]?.name ?? port.name
    const side = Object.keys((port.side === 'input' ? older?.inputs : older?.outputs) ?? {})
    if (side.filter((id) => older?.ports[id]?.name === name).length !== 1)
      return `several ${port.side}s have this name`
    const entry = this.#modify(node)
    const list = port.side === 'input' ? 'inputSettings' : 'outputSettings'
    const byParameterName = {
      ...(entry[list] as { byParameterName?: Record<string, Json> } | undefined)?.byParameterName,
    }
    const known = byParameterName[name] ?? {}
    const all = {
      ...known,
      ...(Object.keys(set).length > 0 ? { set: { ...(known.set as Json | undefined), ...set } } : {}),
      ...(remove.length > 0
        ? { remove: [...((known.remove as string[] | undefined) ?? []), ...remove] }
        : {}),
    }
    entry[list] = { byParameterName: { ...byParameterName, [name]: all } }
    return undefined
  }

  #changePort(change: Extract<Change, { kind: 'port_changed' }>): string | undefined {
    const { before, after } = change
    if ('typeName' in after) return 'GhJSON has types of script parameters alone'
    const changed = [...(before.options ?? []), ...(after.options ?? [])].filter(
      (option) => before.options?.includes(option) !== after.options?.includes(option),
    )
    const unknown = changed.find((option) => !(option in OPTIONS))
    if (unknown) return `GhJSON has no option "${unknown}"`
    const options = changed.map((option) => [
      OPTIONS[option as keyof typeof OPTIONS],
      after.options?.includes(option) === true,
    ])
    const set = {
      ...Object.fromEntries(options),
      ...('access' in after ? { access: after.access } : {}),
      ...(after.expression ? { expression: after.expression } : {}),
    }
    return this.#setPort(change, set, 'expression' in after && !after.expression ? ['expression'] : [])
  }

  #setValues(change: Extract<Change, { kind: 'values_changed' }>): string | undefined {
    const { node, port, after } = change
    if (port.instanceId === node.instanceId) return this.#setExtension(node)
    if (!after) return this.#setPort(change, {}, ['internalizedData'])
    const internalizedData = toInternalizedData(after)
    return internalizedData
      ? this.#setPort(change, { internalizedData })
      : 'GhJSON has no form for these values'
  }

  #connect(what: 'add' | 'remove', { from, to }: Wire): string | undefined {
    const version = what === 'add' ? 'new' : 'old'
    const connection = { from: this.#toEnd(from, version), to: this.#toEnd(to, version) }
    // What was at a replaced component is gone with it, and what is at the new one was added with that.
    const isReplaced = [from, to].some(({ node }) => this.#replaced.has(node.instanceId))
    if (!isReplaced || what === 'add') this.#connections[what].set(JSON.stringify(connection), connection)
    return undefined
  }

  #toEnd({ node, port }: PortAt, version: 'old' | 'new'): Json {
    const owner = (version === 'old' ? this.#before : this.#after).nodes[
      version === 'old' ? (node.previousId ?? node.instanceId) : node.instanceId
    ]
    const portId = version === 'old' ? (port.previousId ?? port.instanceId) : port.instanceId
    const side = (port.side === 'input' ? owner?.inputs : owner?.outputs) ?? {}
    return {
      id: this.#numberOf(node, version),
      paramName: owner?.ports[portId]?.name ?? port.name,
      paramIndex: side[portId] ?? 0,
    }
  }

  #replace({ node, after }: Extract<Change, { kind: 'node_replaced' }>): string | undefined {
    this.#components.remove.push(this.#matchOf(node))
    this.#components.add.push(this.#toComponent(after, this.#numberOf(node)))
    this.#joinGroups(node)
    const nameOf = ({ nodeInstanceId, portInstanceId }: PortReference, side: PortName['side']): PortAt => {
      const {
        templateId = '',
        name = '',
        nickName = '',
        ports,
      }: Partial<Node> = this.#after.nodes[nodeInstanceId] ?? {}
      const previousId = this.#previousIds.get(nodeInstanceId)
      const of = {
        instanceId: nodeInstanceId,
        ...(previousId === undefined ? {} : { previousId }),
        templateId,
        name,
        nickName,
      }
      const port = ports?.[portInstanceId]
      return {
        node: of,
        port: { instanceId: portInstanceId, side, name: port?.name ?? '', nickName: port?.nickName ?? '' },
      }
    }
    for (const receiver of Object.values(this.#after.nodes)) {
      for (const [portInstanceId, wires] of Object.entries(receiver.sources)) {
        for (const wire of wires) {
          if (receiver.instanceId !== after.instanceId && wire.nodeInstanceId !== after.instanceId) continue
          const to = nameOf({ nodeInstanceId: receiver.instanceId, portInstanceId }, 'input')
          this.#connect('add', { from: nameOf(wire, 'output'), to })
        }
      }
    }
    return undefined
  }

  #toComponent(node: Node, id: number): Json {
    const { name, nickName, templateId, instanceId, position, status, ports, values } = node
    const isOwn = Object.hasOwn(ports, instanceId)
    const settings = (side: Record<string, number>) =>
      isOwn ? [] : Object.keys(side).map((portId) => toSettings(ports[portId]!, values[portId]))
    const extension = findExtension(node)
    const state = {
      ...(status.isEnabled ? {} : { locked: true }),
      ...(status.isPreviewed ? {} : { hidden: true }),
      ...(extension ? { extensions: { [extension.key]: extension.value } } : {}),
    }
    const [inputSettings, outputSettings] = [settings(node.inputs), settings(node.outputs)]
    return {
      ...{ name, nickName, componentGuid: templateId },
      ...(UUID.test(instanceId) ? { instanceGuid: instanceId } : {}),
      ...{ id, pivot: toPivot(position) },
      ...(inputSettings.length > 0 ? { inputSettings } : {}),
      ...(outputSettings.length > 0 ? { outputSettings } : {}),
      ...(Object.keys(state).length > 0 ? { componentState: state } : {}),
    }
  }

  #toGroup({ id, label, colour, nodeInstanceIds }: Group): Json {
    const at = this.#after.groups.findIndex((group) => group.id === id)
    const identity = UUID.test(id) ? { instanceGuid: id } : { id: at + 1 }
    return {
      ...identity,
      name: label,
      color: toArgb(colour),
      members: nodeInstanceIds.map((member) => this.#numberOfId(member)),
    }
  }

  /** Adds a new component to the groups that it is in; an added group has its members already. */
  #joinGroups(node: NodeName): void {
    for (const { id, label, nodeInstanceIds } of this.#after.groups) {
      const isOld = this.#before.groups.some((group) => group.id === id)
      if (!isOld || !nodeInstanceIds.includes(node.instanceId)) continue
      const entry = this.#modifyGroup({ id, label })
      const members = (entry.members ?? {}) as { add?: number[] }
      entry.members = { ...members, add: [...(members.add ?? []), this.#numberOf(node)] }
    }
  }

  #setGroup(group: GroupName, set: Json): void {
    const entry = this.#modifyGroup(group)
    entry.set = { ...(entry.set as Json | undefined), ...set }
  }

  #modifyGroup(group: GroupName): Json {
    const id = group.previousId ?? group.id
    const known = this.#groups.modify.get(id) ?? { match: matchOfGroup(group) }
    this.#groups.modify.set(id, known)
    return known
  }

  #setMembers({ group, added, removed }: Extract<Change, { kind: 'group_members' }>): string | undefined {
    if ([...added, ...removed].some((member) => 'label' in member)) return 'GhJSON has no groups in groups'
    const numbersOf = (members: readonly (NodeName | GroupName)[]) =>
      members.flatMap((member) => ('label' in member ? [] : [this.#numberOf(member)]))
    const entry = this.#modifyGroup(group)
    const { add = [] } = (entry.members ?? {}) as { add?: number[] }
    const joined = [...add, ...numbersOf(added)]
    entry.members = {
      ...(joined.length > 0 ? { add: joined } : {}),
      ...(removed.length > 0 ? { remove: numbersOf(removed) } : {}),
    }
    return undefined
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const matchOfGroup = ({ id, previousId }: GroupName): Json => ({ instanceGuid: previousId ?? id })

/** The lists of a section that have something. */
function toSection(section: Record<string, Json[] | ReadonlyMap<string, Json>>): Json | undefined {
  const lists = Object.entries(section).map(([name, list]) => [name, [...list.values()]] as const)
  const filled = lists.filter(([, list]) => list.length > 0)
  return filled.length > 0 ? Object.fromEntries(filled) : undefined
}
