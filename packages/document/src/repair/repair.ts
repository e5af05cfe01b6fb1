/** What was wrong with a graph (rules DOC-10 to DOC-19 of SPEC.md). */
export type RepairKind =
  /** A node said another id than the one that it is kept under. */
  | 'node_id_set'
  /** A position that is no number. */
  | 'position_set'
  /** A port whose id another port or node has. */
  | 'port_dropped'
  /** Orders with gaps, repeats or fractions. */
  | 'ports_ordered'
  /** Facts (name, type …) of a port that does not exist. */
  | 'port_facts_dropped'
  /** A port without facts. */
  | 'port_facts_added'
  /** A wire into a port that is no input of its node. */
  | 'wire_without_receiver_dropped'
  /** A wire from a node that does not exist or a port that is no output of it. */
  | 'wire_without_sender_dropped'
  /** A second wire between the same two ports. */
  | 'repeated_wire_dropped'
  /** An input with an empty list of wires. */
  | 'empty_sources_dropped'
  /** Values of a port that does not exist. */
  | 'values_dropped'
  /** Branches out of order, twice, or with a path that is none. */
  | 'values_ordered'
  /** A group whose id another group or a node has. */
  | 'group_dropped'
  /** A member that does not exist, is listed twice, or contains the group itself. */
  | 'group_member_dropped'
  /** A colour that is not `#rrggbbaa`. */
  | 'group_colour_set'
  /** A pinned port that does not exist, or is pinned twice. */
  | 'pin_dropped'

/** One thing that was put right, with the ids of the things that it happened to. */
export interface Repair {
  kind: RepairKind
  nodeInstanceId?: string
  portInstanceId?: string
  groupId?: string
  /** What a dropped wire came from, or the dropped member of a group. */
  droppedId?: string
}

export type Report = (repair: Repair) => void
