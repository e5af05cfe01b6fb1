/** The kinds of repairs (rules DOC-10 to DOC-19 of SPEC.md). */
export type RepairKind =
  /** The id of a node differed from its key. */
  | 'node_id_set'
  /** A position was not a number. */
  | 'position_set'
  /** A port whose id another port or node has. */
  | 'port_dropped'
  /** Orders with gaps, repeats or fractions. */
  | 'ports_ordered'
  /** Properties (name, type …) of a port that does not exist. */
  | 'port_facts_dropped'
  /** A port without properties. */
  | 'port_facts_added'
  /** A wire into a port that is not an input of its node. */
  | 'wire_without_receiver_dropped'
  /** A wire from a node that does not exist or a port that is not an output of it. */
  | 'wire_without_sender_dropped'
  /** A second wire between the same two ports. */
  | 'repeated_wire_dropped'
  /** An input with an empty list of wires. */
  | 'empty_sources_dropped'
  /** Values of a port that does not exist. */
  | 'values_dropped'
  /** Branches out of order, repeated, or with an invalid path. */
  | 'values_ordered'
  /** A group whose id another group or a node has. */
  | 'group_dropped'
  /** A member that does not exist, is listed twice, or contains the group itself. */
  | 'group_member_dropped'
  /** A colour that is not `#rrggbbaa`. */
  | 'group_colour_set'
  /** A pinned port that does not exist, or is pinned twice. */
  | 'pin_dropped'

/** One repair, with the ids of the parts that it concerns. */
export interface Repair {
  kind: RepairKind
  nodeInstanceId?: string
  portInstanceId?: string
  groupId?: string
  /** The sender of a dropped wire, or the dropped member of a group. */
  droppedId?: string
}

export type Report = (repair: Repair) => void
