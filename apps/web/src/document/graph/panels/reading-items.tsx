import { CopyButton, Menu } from '@mantine/core'
import type { Node } from '@meadow/contract'
import { useGraph } from '../nodes/graph-context.ts'

/** The items of a node's menu that change nothing: readers have them too. */
export function ReadingItems({ node, close }: { node: Node; close: () => void }) {
  const { openCluster, inspect, addressOf } = useGraph()
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
      <CopyButton value={addressOf(instanceId)}>
        {({ copied, copy }) => (
          <Menu.Item onClick={copy} closeMenuOnClick={false}>
            {copied ? 'The link is copied' : 'Copy a link to it'}
          </Menu.Item>
        )}
      </CopyButton>
    </>
  )
}
