import type { PortReference } from '@meadow/contract'
import type { Change, GroupName, LayoutChange, NodeName, PortAt, Wire } from '@meadow/diff'

/** One of the two documents that are compared. */
export type Side = 'before' | 'after'
export const SIDES = ['before', 'after'] as const

/** What happened to something, as it is marked. `moved`: only its look or position differs. */
export type Mark = 'added' | 'removed' | 'changed' | 'moved'

export interface MarkedWire {
  from: PortReference
  to: PortReference
  mark: Mark
}

/** Where a change is to be seen in one of the documents: in the graph of the clusters that the change names. */
export interface ChangeLocation {
  nodeIds: readonly string[]
  wires: readonly MarkedWire[]
  groupIds: readonly string[]
}

export interface LocatedChange extends Record<Side, ChangeLocation> {
  mark: Mark
}

const NOWHERE: ChangeLocation = { nodeIds: [], wires: [], groupIds: [] }

/** Where a change is to be seen in both documents. */
export function locateChange(change: Change | LayoutChange): LocatedChange {
  switch (change.kind) {
    case 'node_added':
      return {
        mark: 'added',
        before: NOWHERE,
        after: locationOf('after', { nodes: [change.node], wires: markAll(change.wires, 'after', 'added') }),
      }
    case 'node_removed':
      return {
        mark: 'removed',
        before: locationOf('before', {
          nodes: [change.node],
          wires: markAll(change.wires, 'before', 'removed'),
        }),
        after: NOWHERE,
      }
    case 'port_added':
      return {
        ...onBoth('changed', { nodes: [change.node] }),
        after: locationOf('after', { nodes: [change.node], wires: markAll(change.wires, 'after', 'added') }),
      }
    case 'port_removed':
      return {
        ...onBoth('changed', { nodes: [change.node] }),
        before: locationOf('before', {
          nodes: [change.node],
          wires: markAll(change.wires, 'before', 'removed'),
        }),
      }
    case 'wire_added':
      return {
        mark: 'added',
        before: NOWHERE,
        after: locationOf('after', { wires: markAll([change], 'after', 'added') }),
      }
    case 'wire_removed':
      return {
        mark: 'removed',
        before: locationOf('before', { wires: markAll([change], 'before', 'removed') }),
        after: NOWHERE,
      }
    case 'wire_replaced': {
      const { to, before, after } = change
      return {
        mark: 'changed',
        before: locationOf('before', { wires: markAll([{ from: before, to }], 'before', 'removed') }),
        after: locationOf('after', { wires: markAll([{ from: after, to }], 'after', 'added') }),
      }
    }
    case 'wires_reordered': {
      const { to } = change
      const wiresOn = (side: Side) =>
        markAll(
          change[side].map((from) => ({ from, to })),
          side,
          'changed',
        )
      return {
        mark: 'changed',
        before: locationOf('before', { wires: wiresOn('before') }),
        after: locationOf('after', { wires: wiresOn('after') }),
      }
    }
    case 'group_added':
      return { mark: 'added', before: NOWHERE, after: locationOf('after', { groups: [change.group] }) }
    case 'group_removed':
      return { mark: 'removed', before: locationOf('before', { groups: [change.group] }), after: NOWHERE }
    case 'group_renamed':
    case 'group_members':
      return onBoth('changed', { groups: [change.group] })
    case 'group_colour':
      return onBoth('moved', { groups: [change.group] })
    case 'groups_reordered':
      return {
        mark: 'moved',
        before: locationOf('before', { groups: change.before }),
        after: locationOf('after', { groups: change.after }),
      }
    case 'pin_added':
    case 'pin_removed':
      return onBoth('changed', { nodes: [change.pin.node] })
    case 'pins_reordered':
      return onBoth('changed', { nodes: change.after.map(({ node }) => node) })
    case 'other_settings':
      return onBoth('changed', {
        nodes: change.node ? [change.node] : [],
        groups: change.group ? [change.group] : [],
      })
    case 'node_moved':
    case 'node_look':
    case 'node_recreated':
    case 'wires_look':
      return onBoth('moved', { nodes: [change.node] })
    default:
      return onBoth('changed', { nodes: [change.node] })
  }
}

/** The id of a node or group in one of the documents. */
export const idOn = (side: Side, name: NodeName | GroupName): string =>
  (side === 'before' ? name.previousId : undefined) ?? ('id' in name ? name.id : name.instanceId)

const portOn = (side: Side, { node, port }: PortAt): PortReference => ({
  nodeInstanceId: idOn(side, node),
  portInstanceId: (side === 'before' ? port.previousId : undefined) ?? port.instanceId,
})

const markAll = (wires: readonly Wire[], side: Side, mark: Mark): MarkedWire[] =>
  wires.map(({ from, to }) => ({ from: portOn(side, from), to: portOn(side, to), mark }))

interface Named {
  nodes?: readonly NodeName[]
  groups?: readonly GroupName[]
  wires?: readonly MarkedWire[]
}

const locationOf = (side: Side, { nodes = [], groups = [], wires = [] }: Named): ChangeLocation => ({
  nodeIds: nodes.map((node) => idOn(side, node)),
  groupIds: groups.map((group) => idOn(side, group)),
  wires,
})

const onBoth = (mark: Mark, named: Named): LocatedChange => ({
  mark,
  before: locationOf('before', named),
  after: locationOf('after', named),
})
