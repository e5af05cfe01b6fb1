import { CopyButton, Menu } from '@mantine/core'
import type { Node, PortReference } from '@meadow/contract'
import type { EditorSolution, UseReference } from '@meadow/contract/web'
import { Link } from 'react-router'
import { usesPath } from '../../../uses/describe-uses.ts'
import { portLabel } from '../layout/node-box.ts'
import { useGraph } from '../nodes/graph-context.ts'

/** The items of a node's menu that change nothing: readers have them too. */
export function ReadingItems({ node, close }: { node: Node; close: () => void }) {
  const { teamId, openCluster, inspect, addressOf, solution, showValues } = useGraph()
  const { instanceId, state } = node
  const item = (label: string, run: () => void) => (
    <Menu.Item
      onClick={() => {
        close()
        run()
      }}
    >
      {label}
    </Menu.Item>
  )
  return (
    <>
      {state?.kind === 'cluster' && item('Open the cluster', () => openCluster(instanceId))}
      {item(state?.kind === 'script' ? 'Script and properties' : 'Properties', () => inspect(instanceId))}
      {showValues && (
        <ValueItems
          node={node}
          solution={solution}
          show={(port) => {
            close()
            showValues(port)
          }}
        />
      )}
      <CopyButton value={addressOf(instanceId)}>
        {({ copied, copy }) => (
          <Menu.Item onClick={copy} closeMenuOnClick={false}>
            {copied ? 'The link is copied' : 'Copy a link to it'}
          </Menu.Item>
        )}
      </CopyButton>
      {teamId !== undefined &&
        listSearchable(node).map(({ label, ...reference }) => (
          <Menu.Item key={reference.kind} component={Link} to={usesPath(teamId, reference)}>
            {label}
          </Menu.Item>
        ))}
    </>
  )
}

interface ValueItemsProps {
  node: Node
  solution: EditorSolution | undefined
  show: (port: PortReference) => void
}

/** The table of each output that has values. */
function ValueItems({ node, solution, show }: ValueItemsProps) {
  const { instanceId: nodeInstanceId } = node
  const ports = listValuePorts(node, solution)
  return ports.map((portInstanceId) => (
    <Menu.Item key={portInstanceId} onClick={() => show({ nodeInstanceId, portInstanceId })}>
      {ports.length === 1 ? 'Values as a table' : `Values of ${portLabel(node, portInstanceId)}`}
    </Menu.Item>
  ))
}

/** The outputs of a node that have values, in the order of the node. */
export function listValuePorts(
  { instanceId, outputs }: Node,
  solution: EditorSolution | undefined,
): string[] {
  const { ports = {} } = solution?.nodes[instanceId] ?? {}
  const order = Object.keys(outputs)
  return Object.keys(ports)
    .filter((portId) => ports[portId]!.values > 0)
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
}

/** What other documents may have in common with a node. */
function listSearchable({ templateId, state }: Node): (UseReference & { label: string })[] {
  const { libraryId, library } = state?.kind === 'plugin' ? state : {}
  return [
    { kind: 'component', key: templateId.toLowerCase(), label: 'Which documents use this?' },
    ...(typeof libraryId === 'string' && typeof library === 'string' && libraryId !== NO_PLUGIN_ID
      ? [{ kind: 'plugin', key: libraryId.toLowerCase(), label: `Which documents use ${library}?` } as const]
      : []),
  ]
}

/** Of plug-ins without an id. */
const NO_PLUGIN_ID = '00000000-0000-0000-0000-000000000000'
