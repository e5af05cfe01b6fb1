import { Menu } from '@mantine/core'
import { type GraphContent, type Node, PORT_FLAGS, type PortReference } from '@meadow/contract'
import {
  disconnect,
  editPort,
  pinPort,
  removeNodes,
  removePort,
  renameNode,
  setEnabled,
  setPreviewed,
  unpinPort,
} from '@meadow/document/live'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NameDialog } from '../../../shell/name-dialog.tsx'
import type { CanvasPoint } from '../canvas/graph-canvas.tsx'
import { groupSelected, listSpareInputs, mayRepeat, repeatInput, ungroupSelected } from '../editing/edits.ts'
import { labelOf, listPorts, portLabel, shapeOf } from '../layout/node-box.ts'
import { useGraph } from '../nodes/graph-context.ts'
import { paletteQuery } from './palette.tsx'

interface NodeMenuProps {
  place: CanvasPoint
  /** Undefined: asked for beside all nodes. */
  nodeId: string | undefined
  content: GraphContent
  selectedIds: ReadonlySet<string>
  close: () => void
  onOpenPalette: (place: CanvasPoint) => void
}

/** What can be done at a place of the canvas: to the node there, and to all that is selected with it. */
export function NodeMenu({ place, nodeId, content, selectedIds, close, onOpenPalette }: NodeMenuProps) {
  const { doc, origin, edit, openDialog } = useGraph()
  const palette = useQuery(paletteQuery)
  const [isRenaming, setIsRenaming] = useState(false)
  const node = nodeId === undefined ? undefined : content.nodes[nodeId]
  const kind = palette.data?.kinds.find(({ templateId }) => templateId === node?.templateId)
  const spare = node ? listSpareInputs(node, kind) : []
  const ids = node && !selectedIds.has(node.instanceId) ? [node.instanceId] : [...selectedIds]
  const groups = content.groups.filter(({ nodeInstanceIds }) =>
    nodeInstanceIds.some((id) => ids.includes(id)),
  )
  const [group] = groups
  if (!doc) return null
  if (isRenaming && node)
    return (
      <NameDialog
        title={`Rename “${labelOf(node)}”`}
        action="Rename"
        initialName={node.nickName}
        isOpen
        close={close}
        save={async (name) => edit((live) => renameNode(live, node.instanceId, name, origin))}
      />
    )
  return (
    <Menu opened onClose={close} width={230} closeOnItemClick={false} position="bottom-start">
      <Menu.Target>
        <div style={{ position: 'fixed', left: place.screen.x, top: place.screen.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        {!node && (
          <Menu.Item
            onClick={() => {
              close()
              onOpenPalette(place)
            }}
          >
            Add a component
          </Menu.Item>
        )}
        {node && (
          <>
            <Menu.Label>{node.name}</Menu.Label>
            {['slider', 'valueList'].includes(shapeOf(node)) && (
              <Menu.Item
                onClick={() => {
                  close()
                  openDialog(node.instanceId)
                }}
              >
                {shapeOf(node) === 'slider' ? 'Edit the range' : 'Edit the items'}
              </Menu.Item>
            )}
            <Menu.Item onClick={() => setIsRenaming(true)}>Rename</Menu.Item>
            {mayRepeat(kind) && (
              <Menu.Item onClick={() => edit((live) => repeatInput(live, node, origin))}>
                Add an input
              </Menu.Item>
            )}
            <Menu.Item
              onClick={() => {
                edit((live) => setEnabled(live, ids, !node.status.isEnabled, origin))
                close()
              }}
            >
              {node.status.isEnabled ? 'Disable' : 'Enable'}
            </Menu.Item>
            <Menu.Item
              onClick={() => {
                edit((live) => setPreviewed(live, ids, !node.status.isPreviewed, origin))
                close()
              }}
            >
              {node.status.isPreviewed ? 'Hide its geometry' : 'Show its geometry'}
            </Menu.Item>
            {[...new Set([...listPorts(node.inputs), ...listPorts(node.outputs)])].map((portId) => (
              <PortMenu
                key={portId}
                node={node}
                portId={portId}
                content={content}
                isSpare={spare.includes(portId)}
              />
            ))}
          </>
        )}
        {ids.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item
              onClick={() => {
                edit((live) => groupSelected(live, ids, origin))
                close()
              }}
            >
              Group
            </Menu.Item>
            {group && (
              <Menu.Item
                onClick={() => {
                  edit((live) => ungroupSelected(live, content, new Set(ids), origin))
                  close()
                }}
              >
                Ungroup
              </Menu.Item>
            )}
            <Menu.Item
              color="red"
              onClick={() => {
                edit((live) => removeNodes(live, ids, origin))
                close()
              }}
            >
              Delete {ids.length > 1 && `all ${ids.length}`}
            </Menu.Item>
          </>
        )}
        {group && (
          <Menu.Item
            onClick={() => {
              close()
              openDialog(group.id)
            }}
          >
            Label and colour of the group
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface PortMenuProps {
  node: Node
  portId: string
  content: GraphContent
  /** It can be taken away. */
  isSpare: boolean
}

function PortMenu({ node, portId, content, isSpare }: PortMenuProps) {
  const { origin, edit } = useGraph()
  const port: PortReference = { nodeInstanceId: node.instanceId, portInstanceId: portId }
  const flags = node.ports[portId]?.flags ?? []
  const sources = node.sources[portId] ?? []
  const side = Object.hasOwn(node.outputs, portId) ? 'outputs' : 'inputs'
  const isPinned = content.configuration[side].some(
    ({ nodeInstanceId, portInstanceId }) => nodeInstanceId === node.instanceId && portInstanceId === portId,
  )
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item>{portLabel(node, portId)}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {PORT_FLAGS.map((flag) => {
          const isOn = flags.includes(flag)
          return (
            <Menu.Item
              key={flag}
              rightSection={isOn ? '✓' : undefined}
              aria-checked={isOn}
              role="menuitemcheckbox"
              onClick={() => edit((live) => editPort(live, port, { flags: { [flag]: !isOn } }, origin))}
            >
              {flag[0]?.toUpperCase() + flag.slice(1)}
            </Menu.Item>
          )
        })}
        <Menu.Divider />
        <Menu.Item
          rightSection={isPinned ? '✓' : undefined}
          aria-checked={isPinned}
          role="menuitemcheckbox"
          onClick={() =>
            edit((live) =>
              isPinned ? unpinPort(live, side, port, origin) : pinPort(live, side, port, origin),
            )
          }
        >
          Pin
        </Menu.Item>
        {sources.length > 0 && (
          <Menu.Item
            onClick={() =>
              edit((live) =>
                live.transact(() => {
                  for (const from of sources) disconnect(live, { from, to: port }, origin)
                }, origin),
              )
            }
          >
            Disconnect
          </Menu.Item>
        )}
        {isSpare && (
          <Menu.Item color="red" onClick={() => edit((live) => removePort(live, port, origin))}>
            Remove
          </Menu.Item>
        )}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
