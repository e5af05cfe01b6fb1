import type { FoundFault } from '../config/rules.ts'
import type { SnapshotSettings } from '../config/settings.ts'
import {
  formatSnapshot,
  SNAPSHOT_FORM,
  type Snapshot,
  type SnapshotPort,
  type TakenPort,
} from './snapshot.ts'

/** The maximum number of differences that are reported for one definition. */
const MAX_REPORTED = 20
const MAX_SHOWN = 120

export interface Comparison {
  faults: FoundFault[]
  /**
   * The new snapshot; undefined when the expected one still holds. Ports and values that did not change stay as they
   * were.
   */
  text?: string
}

type Tolerance = Pick<SnapshotSettings, 'absolute' | 'relative'>

/** A difference of a port, with its place in the data. */
interface Difference {
  where: string
  expected: string
  found: string
}

/** Compares the outputs of a definition with the text of its snapshot. */
export function compareSnapshot(
  taken: readonly TakenPort[],
  expected: string | undefined,
  tolerance: Tolerance,
): Comparison {
  const fresh = () => formatSnapshot({ ports: taken.map(({ port }) => port) })
  if (expected === undefined) return { faults: [], text: fresh() }
  const known = parseSnapshot(expected)
  if (!known) {
    const message = 'The snapshot cannot be read. Remove it, or make a new one with --update'
    return { faults: [{ rule: 'snapshot-different', message }], text: fresh() }
  }
  const left = new Map(known.map((port) => [keyOf(port), port]))
  const faults: FoundFault[] = []
  let isChanged = false
  const kept = taken.map(({ port, place }) => {
    const old = left.get(keyOf(port))
    left.delete(keyOf(port))
    const found = comparePort(old, port, tolerance)
    faults.push(...found.map((fault) => ({ ...fault, node: place })))
    if (old && found.length === 0) return old
    isChanged = true
    return port
  })
  for (const { name, portName } of left.values()) {
    isChanged = true
    faults.push({ rule: 'snapshot-different', message: `${nameOf(name, portName)} is no longer an output` })
  }
  return isChanged ? { faults: limit(faults), text: formatSnapshot({ ports: kept }) } : { faults: [] }
}

const keyOf = ({ node, port }: SnapshotPort): string => `${node} ${port}`

const nameOf = (name: string, portName: string | undefined): string =>
  portName === undefined ? name : `${name}, ${portName}`

function parseSnapshot(text: string): SnapshotPort[] | undefined {
  try {
    const { meadowSnapshot, ports } = JSON.parse(text) as Partial<Snapshot>
    if (meadowSnapshot !== SNAPSHOT_FORM || !Array.isArray(ports)) return undefined
    return ports.every(isPort) ? ports : undefined
  } catch {
    return undefined
  }
}

const isPort = (port: unknown): port is SnapshotPort => {
  if (typeof port !== 'object' || port === null) return false
  const { node, name, port: id, data, unknown } = port as Partial<SnapshotPort>
  const hasTexts = [node, name, id].every((text) => typeof text === 'string')
  return (
    hasTexts &&
    (unknown === true ||
      (typeof data === 'object' && data !== null && Object.values(data).every(Array.isArray)))
  )
}

function comparePort(
  old: SnapshotPort | undefined,
  port: SnapshotPort,
  tolerance: Tolerance,
): Pick<FoundFault, 'rule' | 'message'>[] {
  const title = nameOf(port.name, port.portName)
  const differ = (message: string) => [
    { rule: 'snapshot-different' as const, message: `${title} ${message}` },
  ]
  if (!old) return differ('is not in the snapshot')
  if (port.unknown && old.unknown) return []
  if (port.unknown)
    return [
      { rule: 'snapshot-unknown', message: `${title} is not known: Meadow cannot solve what it depends on` },
    ]
  if (old.unknown) return differ('is known now, and was not')
  return [...compareData(old.data!, port.data!, tolerance)].map(({ where, expected, found }) => ({
    rule: 'snapshot-different',
    message: `${title} at ${where}: expected ${expected}, found ${found}`,
  }))
}

function* compareData(
  old: NonNullable<SnapshotPort['data']>,
  data: NonNullable<SnapshotPort['data']>,
  tolerance: Tolerance,
): Generator<Difference> {
  for (const path of new Set([...Object.keys(old), ...Object.keys(data)])) {
    const [expected, found] = [old[path], data[path]]
    if (!expected || !found) {
      yield { where: path, expected: countOf(expected), found: countOf(found) }
      continue
    }
    if (expected.length !== found.length)
      yield { where: path, expected: countOf(expected), found: countOf(found) }
    for (let index = 0; index < Math.min(expected.length, found.length); index++) {
      if (isSame(expected[index], found[index], tolerance)) continue
      yield { where: `${path}[${index}]`, expected: show(expected[index]), found: show(found[index]) }
    }
  }
}

const countOf = (values: readonly unknown[] | undefined): string =>
  values === undefined ? 'no branch' : values.length === 1 ? '1 value' : `${values.length} values`

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

function isSame(a: unknown, b: unknown, tolerance: Tolerance): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    const allowed = tolerance.absolute + tolerance.relative * Math.max(Math.abs(a), Math.abs(b))
    return Math.abs(a - b) <= allowed
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame((a as never)[name], (b as never)[name], tolerance))
  )
}

function limit(faults: readonly FoundFault[]): FoundFault[] {
  if (faults.length <= MAX_REPORTED) return [...faults]
  const more = faults.length - MAX_REPORTED
  return [
    ...faults.slice(0, MAX_REPORTED),
    { rule: 'snapshot-different', message: `${more} more differences` },
  ]
}
