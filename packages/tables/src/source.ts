import type { DataTree, DataValue } from '@meadow/client'

/**
 * A solution in the form in which `GET /documents/{documentId}/solution` returns it. The rows need no other members of
 * it.
 */
export interface TableSolution {
  data: { solutionId: string }
  solvedAt: string
}

/** A document in the form in which `GET /documents/{documentId}` returns it. The rows need no other members of it. */
export interface TableDocument {
  id: string
  name: string
  nodes: Record<string, TableNode>
}

interface TableNode {
  name: string
  nickName: string
  ports: Record<string, { name: string; nickName: string }>
}

/** The sources of the rows of one document. Without the document, its id and all names are null. */
export interface TableSource {
  solution: TableSolution
  document?: TableDocument | undefined
}

/** A port of a solution, for choosing rows. A name is null where the document is not given or lacks the node. */
export interface TablePort {
  nodeId: string
  /** The nickname of the node on the canvas, or the name of its component where it has none. */
  node: string | null
  component: string | null
  portId: string
  /** The nickname of the port on the canvas, or its name where it has none. */
  port: string | null
  portName: string | null
}

/** The values of one branch of one port: consecutive rows. */
export interface Run {
  source: TableSource
  port: TablePort
  path: string
  values: readonly (DataValue | null)[]
}

/**
 * The branches of a solution in its own order: by node, then port, then path.
 * @param where chooses the ports; all of them unless it is given.
 * @throws a TypeError when it is not a solution.
 */
export function* listRuns(source: TableSource, where?: (port: TablePort) => boolean): Generator<Run> {
  const { solutionId: _, ...nodes } = readData(source.solution)
  for (const [nodeId, ports] of Object.entries(nodes)) {
    for (const [portId, { branches }] of Object.entries(ports)) {
      const port = describePort(source.document, nodeId, portId)
      if (where && !where(port)) continue
      for (const { path, values } of branches) yield { source, port, path, values }
    }
  }
}

type SolutionData = { solutionId?: unknown } & Record<string, Record<string, DataTree>>

function readData(solution: TableSolution): SolutionData {
  if (typeof solution?.data?.solutionId === 'string') return solution.data as unknown as SolutionData
  throw new TypeError(
    'That is not a solution: it has no data.solutionId. Pass the body of GET /documents/{documentId}/solution with format=json.',
  )
}

function describePort(document: TableDocument | undefined, nodeId: string, portId: string): TablePort {
  const node = findOwn(document?.nodes, nodeId)
  const port = findOwn(node?.ports, portId)
  return {
    nodeId,
    node: node ? node.nickName || node.name : null,
    component: node?.name ?? null,
    portId,
    port: port ? port.nickName || port.name : null,
    portName: port?.name ?? null,
  }
}

/** Returns a member of an object, but not one that every object has, such as `constructor`. */
const findOwn = <T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined
