import { Menu } from '@mantine/core'
import type { GraphContent, Node, PortReference } from '@meadow/contract'
import type { EditorSolution, UseReference } from '@meadow/contract/web'
import { Link } from 'react-router'
import { CopyLinkItem } from '../../../shell/copy-line.tsx'
import { usesPath } from '../../../uses/describe-uses.ts'
import { labelOf, portLabel } from '../layout/node-box.ts'
import { useGraph } from '../nodes/graph-context.ts'
import { listValuePorts } from '../nodes/node-values.ts'
import { findCause } from './find-cause.ts'

export interface ReadingItemsProps {
  node: Node
  content: GraphContent
  close: () => void
  /** Shows the properties of a node. */
  onInspect: (nodeId: string) => void
}

/** The items of a node's menu that change nothing: readers have them too. */
export function ReadingItems({ node, content, close, onInspect }: ReadingItemsProps) {
  const { teamId, openCluster, addressOf, messages, goTo, solution, showValues } = useGraph()
  const { instanceId, state } = node
  const cause = content.nodes[findCause(content.nodes, messages, instanceId) ?? '']
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
      {cause && item(`Go to the cause: ${labelOf(cause)}`, () => goTo(cause.instanceId))}
      {state?.kind === 'cluster' && item('Open the cluster', () => openCluster(instanceId))}
      {item(state?.kind === 'script' ? 'Script and properties' : 'Properties', () => onInspect(instanceId))}
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
      <CopyLinkItem link={addressOf(instanceId)} />
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

/** The id that stands for plug-ins without an id. */
const NO_PLUGIN_ID = '00000000-0000-0000-0000-000000000000'
