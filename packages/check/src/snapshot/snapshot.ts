import type { NodePlace } from '../config/rules.ts'

/** The version of the format of snapshots. */
export const SNAPSHOT_FORM = 1

/** A value in a snapshot: plain texts, numbers and booleans; others under the name of their type. */
export type SnapshotValue = null | boolean | number | string | { [type: string]: unknown }

/** The data of a port. */
export interface SnapshotPort {
  /** The instance id of the node. */
  node: string
  /** The name of the node on the canvas, for people. */
  name: string
  /** The id of the port; for parameters, the id of the node. */
  port: string
  portName?: string
  /** The values of each path; absent when they are not known. */
  data?: Record<string, SnapshotValue[]>
  unknown?: true
}

export interface Snapshot {
  meadowSnapshot: typeof SNAPSHOT_FORM
  ports: SnapshotPort[]
}

/** A port of a solution in the form of a snapshot, with its place for findings. */
export interface TakenPort {
  port: SnapshotPort
  place: NodePlace
}

/** Returns the path of the snapshot beside a definition. */
export const snapshotPathOf = (definition: string): string => `${definition}.snapshot.json`

/**
 * Formats a snapshot as text that diffs well: a line for each value, in an order that does not depend on the canvas.
 */
export function formatSnapshot({ ports }: Pick<Snapshot, 'ports'>): string {
  const list = ports.map(formatPort).join(',\n')
  return `{\n  "meadowSnapshot": ${SNAPSHOT_FORM},\n  "ports": [${list === '' ? '' : `\n${list}\n  `}]\n}\n`
}

function formatPort({ data, ...facts }: SnapshotPort): string {
  const members = Object.entries(facts).map(([name, value]) => `      "${name}": ${JSON.stringify(value)}`)
  if (data) members.push(`      "data": ${formatData(data)}`)
  return `    {\n${members.join(',\n')}\n    }`
}

function formatData(data: Record<string, SnapshotValue[]>): string {
  const branches = Object.entries(data).map(([path, values]) => {
    const lines = values.map((value) => `          ${JSON.stringify(value)}`)
    return `        ${JSON.stringify(path)}: [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n        `}]`
  })
  return branches.length === 0 ? '{}' : `{\n${branches.join(',\n')}\n      }`
}
