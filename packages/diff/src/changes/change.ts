import type { ClusterReason } from '@meadow/contract'
import type { Author, DataTree, Group, Node, Port } from '@meadow/document'

/** A node as changes name it: that of the newer document, or of the older one where the newer lacks it. */
export interface NodeName {
  instanceId: string
  /** The id in the older document, where it is another one. */
  previousId?: string
  templateId: string
  name: string
  nickName: string
}

/** A port as changes name it. */
export interface PortName {
  instanceId: string
  previousId?: string
  side: 'input' | 'output'
  name: string
  nickName: string
}

/** A port with its node: an end of a wire, or a pin. */
export interface PortAt {
  node: NodeName
  port: PortName
}

export interface Wire {
  from: PortAt
  to: PortAt
}

export interface GroupName {
  id: string
  previousId?: string
  label: string
}

/** A hunk of a unified diff: its lines begin with `-`, `+` or a blank; lines are counted from 1. */
export interface LineHunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  lines: string[]
}

/** The part of a script that changed. */
export interface ScriptPart {
  part: 'source' | 'imports' | 'members'
  before: string
  after: string
  hunks: LineHunk[]
}

/** What two names differ in. */
export interface Names {
  name: string
  nickName: string
}

/** The members of a port besides names and flags, as far as they differ. */
export type PortProperties = Partial<Pick<Port, 'typeName' | 'access' | 'expression' | 'options'>>

/** What a document says of a cluster beside its graph. */
export interface ClusterFacts {
  description?: string
  author?: Author
  /** Why the content is not known; absent: it is known. */
  reason?: ClusterReason
  /** Names of the objects in the cluster that stand for its ports, by the name of the port. */
  ports?: Record<string, string>
}

/** The members of a change that are its own, by kind: what differs, before and after. */
interface ChangesByKind {
  /** `wires`: from and to the node, those to other added nodes excepted. The node's groups and pins came with it. */
  node_added: { node: NodeName; after: Node; wires: Wire[] }
  /** `wires`: those that went with the node. */
  node_removed: { node: NodeName; before: Node; wires: Wire[] }
  /** Another component took the place of the node: at the same position, or with the same wires. */
  node_replaced: { node: NodeName; before: Node; after: Node }
  node_renamed: { node: NodeName; before: Names; after: Names }
  node_enabled: { node: NodeName; before: boolean; after: boolean }
  node_previewed: { node: NodeName; before: boolean; after: boolean }
  port_added: { node: NodeName; port: PortName; after: Port; index: number; wires: Wire[] }
  port_removed: { node: NodeName; port: PortName; before: Port; index: number; wires: Wire[] }
  ports_reordered: { node: NodeName; side: PortName['side']; before: PortName[]; after: PortName[] }
  port_renamed: { node: NodeName; port: PortName; before: Names; after: Names }
  port_flags: { node: NodeName; port: PortName; before: Port['flags']; after: Port['flags'] }
  port_changed: { node: NodeName; port: PortName; before: PortProperties; after: PortProperties }
  /** `index`: its place among the wires of the receiving port. */
  wire_added: Wire & { index: number }
  wire_removed: Wire & { index: number }
  /** A wire from another port took the place of a wire. */
  wire_replaced: { to: PortAt; index: number; before: PortAt; after: PortAt }
  wires_reordered: { to: PortAt; before: PortAt[]; after: PortAt[] }
  values_changed: { node: NodeName; port: PortName; before: DataTree | null; after: DataTree | null }
  /** Members of `state` that differ. Null: absent. */
  settings_changed: {
    node: NodeName
    before: Record<string, unknown>
    after: Record<string, unknown>
  }
  /**
   * Stored data that differs and that no document shows, by its names in the file: of a node, of a group, or of the file
   * itself without either.
   */
  other_settings: { node?: NodeName; group?: GroupName; names: string[] }
  script_changed: { node: NodeName; parts: ScriptPart[] }
  cluster_changed: { node: NodeName; before: ClusterFacts; after: ClusterFacts }
  group_added: { group: GroupName; after: Group }
  group_removed: { group: GroupName; before: Group }
  group_renamed: { group: GroupName; before: string; after: string }
  group_members: { group: GroupName; added: (NodeName | GroupName)[]; removed: (NodeName | GroupName)[] }
  pin_added: { side: PortName['side']; pin: PortAt }
  pin_removed: { side: PortName['side']; pin: PortAt }
  pins_reordered: { side: PortName['side']; before: PortAt[]; after: PortAt[] }
}

/** Changes of how a document looks, which change nothing of what it says or computes. */
interface LayoutChangesByKind {
  node_moved: { node: NodeName; before: Node['position']; after: Node['position'] }
  /** `display`, or members of `state` such as `size` and `colour`, that differ. Null: absent. */
  node_look: { node: NodeName; before: Record<string, unknown>; after: Record<string, unknown> }
  /** The node has another id, as after it was copied or made again. */
  node_recreated: { node: NodeName; before: string; after: string }
  /** How the wires into a port are drawn. Null: as usual. */
  wires_look: { node: NodeName; port: PortName; before: string | null; after: string | null }
  group_colour: { group: GroupName; before: string; after: string }
  /** The order of groups, in which they are drawn. */
  groups_reordered: { before: GroupName[]; after: GroupName[] }
}

type ChangeOf<ByKind> = {
  [Kind in keyof ByKind]: {
    kind: Kind
    /** The clusters that the change is in, from the outermost; absent: it is in the document itself. */
    clusters?: NodeName[]
  } & ByKind[Kind]
}[keyof ByKind]

/** One semantic change. Plain JSON. */
export type Change = ChangeOf<ChangesByKind>
export type ChangeKind = Change['kind']

/** One change of the layout. Plain JSON. */
export type LayoutChange = ChangeOf<LayoutChangesByKind>
export type LayoutChangeKind = LayoutChange['kind']
