import { Kbd, Menu, Text } from '@mantine/core'
import { type GraphContent, type Node, PORT_FLAGS, type PortReference } from '@meadow/contract'
import {
  disconnect,
  editPort,
  pinPort,
  removeNodes,
  renameNode,
  setEnabled,
  setPreviewed,
  setState,
  setValues,
  unpinPort,
} from '@meadow/document/live'
import { useQuery } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { paletteQuery } from '../../../api/palette-query.ts'
import { NameDialog } from '../../../shell/name-dialog.tsx'
import type { CanvasPoint } from '../canvas/graph-canvas.tsx'
import {
  groupNodes,
  listRemovablePorts,
  listRepeatedSides,
  removeRepeatedPort,
  repeatPort,
  ungroupNodes,
} from '../editing/edits.ts'
import { findPin, listPinnedIds, togglePins } from '../editing/pins.ts'
import { formatValues, mayTypeValues, readValues } from '../editing/port-values.ts'
import { labelOf, listPorts, portLabel, shapeOf } from '../layout/node-box.ts'
import { useGraph } from '../nodes/graph-context.ts'
import { ArrangeMenu } from './arrange-menu.tsx'
import styles from './node-menu.module.css'
import { ReadingItems, type ReadingItemsProps } from './reading-items.tsx'
import { TextDialog } from './text-dialog.tsx'

interface NodeMenuProps extends Omit<ReadingItemsProps, 'node'> {
  at: CanvasPoint
  /** The node whose menu it is; undefined for the menu of the canvas. */
  nodeId: string | undefined
  selectedIds: ReadonlySet<string>
  onOpenPalette: (at: CanvasPoint) => void
  /** Asks what to replace the node by. */
  onReplace: (nodeId: string) => void
}

/** The context menu of the canvas: of a node, and of all nodes selected with it. Readers can look at nodes only. */
export function NodeMenu(props: NodeMenuProps) {
  const { doc } = useGraph()
  const { at, nodeId, content, close, onInspect } = props
  if (doc) return <EditMenu {...props} />
  const node = content.nodes[nodeId ?? '']
  if (!node) return null
  return (
    <Menu opened onClose={close} width={230} position="bottom-start">
      <Menu.Target>
        <MenuPoint {...at.screen} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{node.name}</Menu.Label>
        <ReadingItems {...{ node, content, close, onInspect }} />
      </Menu.Dropdown>
    </Menu>
  )
}

function EditMenu({ at, nodeId, content, selectedIds, close, ...props }: NodeMenuProps) {
  const { origin, edit, openDialog } = useGraph()
  const palette = useQuery(paletteQuery)
  /** What is asked for in place of the menu: a name, an expression, or the values of a port. */
  const [asked, setAsked] = useState<'name' | 'expression' | { portId: string }>()
  const node = nodeId === undefined ? undefined : content.nodes[nodeId]
  const kind = palette.data?.kinds.find(({ templateId }) => templateId === node?.templateId)
  const removable = node ? listRemovablePorts(node, kind) : []
  const ids = node && !selectedIds.has(node.instanceId) ? [node.instanceId] : [...selectedIds]
  const groups = content.groups.filter(({ nodeInstanceIds }) =>
    nodeInstanceIds.some((id) => ids.includes(id)),
  )
  const [group] = groups
  if (asked === 'name' && node)
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
  if (asked === 'expression' && node)
    return (
      <TextDialog
        title={`Expression of “${labelOf(node)}”`}
        label="Expression"
        description="Its variables are the names of the inputs."
        initialText={String(node.state?.expression ?? '')}
        close={close}
        save={(expression) => {
          edit((live) => setState(live, node.instanceId, { expression: expression.trim() }, origin))
          return undefined
        }}
      />
    )
  if (asked && typeof asked === 'object' && node) {
    const port: PortReference = { nodeInstanceId: node.instanceId, portInstanceId: asked.portId }
    const { typeName = '' } = node.ports[asked.portId] ?? {}
    const values = node.values[asked.portId]
    return (
      <TextDialog
        title={`Values of ${node.ports[asked.portId]?.name}`}
        label={typeName}
        description="One value a line. Without a value, the input is empty."
        initialText={values ? (formatValues(values) ?? '') : ''}
        close={close}
        save={(text) => {
          const read = readValues(typeName, text)
          if ('error' in read) return read.error
          edit((live) => setValues(live, port, read.tree, origin))
          return undefined
        }}
      />
    )
  }
  const sides = listRepeatedSides(kind)
  const pinned = listPinnedIds(content)
  const isPinned = ids.every((id) => pinned.has(id))
  return (
    <Menu
      opened
      onClose={close}
      width={230}
      closeOnItemClick={false}
      position="bottom-start"
      // Over the point where it was opened rather than below the window: ports that are not in view have no menu.
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
      classNames={{ item: styles.item ?? '' }}
    >
      <Menu.Target>
        <MenuPoint {...at.screen} />
      </Menu.Target>
      <Menu.Dropdown>
        {!node && (
          <Menu.Item
            onClick={() => {
              close()
              props.onOpenPalette(at)
            }}
          >
            Add a component
          </Menu.Item>
        )}
        {node && (
          <>
            <Menu.Label>
              {node.name}
              {kind && (
                <Text size="xs" mt={2}>
                  {kind.description}
                </Text>
              )}
            </Menu.Label>
            <ReadingItems {...{ node, content, close }} onInspect={props.onInspect} />
            <Menu.Divider />
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
            <Menu.Item onClick={() => setAsked('name')}>Rename</Menu.Item>
            <Menu.Item
              onClick={() => {
                close()
                props.onReplace(node.instanceId)
              }}
            >
              Replace by …
            </Menu.Item>
            {node.state?.kind === 'expression' && (
              <Menu.Item onClick={() => setAsked('expression')}>Edit the expression</Menu.Item>
            )}
            {sides.length > 0 && (
              <Menu.Item onClick={() => edit((live) => repeatPort(live, node, kind, origin))}>
                {`Add an ${sides.join(' and an ')}`}
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
            {(isPinned || findPin(node)) && (
              <Menu.Item
                rightSection={<Kbd size="xs">P</Kbd>}
                onClick={() => {
                  edit((live) => togglePins(live, content, ids, origin))
                  close()
                }}
              >
                {isPinned ? 'Unpin from the player' : 'Pin to the player'}
              </Menu.Item>
            )}
            {[...new Set([...listPorts(node.inputs), ...listPorts(node.outputs)])].map((portId) => (
              <PortMenu
                key={portId}
                node={node}
                portId={portId}
                content={content}
                remove={
                  removable.includes(portId)
                    ? () => edit((live) => removeRepeatedPort(live, node, kind, portId, origin))
                    : undefined
                }
                askForValues={
                  mayTypeValues(node, portId) && portId !== node.instanceId
                    ? () => setAsked({ portId })
                    : undefined
                }
              />
            ))}
          </>
        )}
        {ids.length > 0 && (
          <>
            <Menu.Divider />
            <ArrangeMenu content={content} ids={ids} close={close} />
            <Menu.Item
              onClick={() => {
                edit((live) => groupNodes(live, ids, origin))
                close()
              }}
            >
              Group
            </Menu.Item>
            {group && (
              <Menu.Item
                onClick={() => {
                  edit((live) => ungroupNodes(live, content, new Set(ids), origin))
                  close()
                }}
              >
                Ungroup
              </Menu.Item>
            )}
            <Menu.Item
              c="red"
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
  /** Removes the port; undefined if it cannot be removed. */
  remove: (() => void) | undefined
  /** Asks for the values of the port; undefined if they cannot be typed. */
  askForValues: (() => void) | undefined
}

function PortMenu({ node, portId, content, remove, askForValues }: PortMenuProps) {
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
        {askForValues && (
          <>
            <Menu.Item onClick={askForValues}>Set values</Menu.Item>
            <Menu.Divider />
          </>
        )}
        {PORT_FLAGS.map((flag) => {
          const isOn = flags.includes(flag)
          return (
            <Menu.CheckboxItem
              key={flag}
              checked={isOn}
              onChange={() => edit((live) => editPort(live, port, { flags: { [flag]: !isOn } }, origin))}
            >
              {flag[0]?.toUpperCase() + flag.slice(1)}
            </Menu.CheckboxItem>
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
        {side === 'inputs' && (
          <>
            <Menu.Label>Wires</Menu.Label>
            {WIRES.map(([display, label]) => (
              <Menu.RadioItem
                key={label}
                value={label}
                checked={(node.ports[portId]?.wireDisplay ?? null) === display}
                onChange={() => edit((live) => editPort(live, port, { wireDisplay: display }, origin))}
              >
                {label}
              </Menu.RadioItem>
            ))}
          </>
        )}
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
        {remove && (
          <Menu.Item c="red" onClick={remove}>
            Remove
          </Menu.Item>
        )}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}

/** How the wires of an input are drawn. */
const WIRES = [
  [null, 'Plain'],
  ['faint', 'Faint'],
  ['hidden', 'Hidden'],
] as const

/** The point that the menu is beside. It is nothing that opens a menu, so it takes no attributes of one. */
function MenuPoint({ x, y, ref }: { x: number; y: number; ref?: Ref<HTMLDivElement> }) {
  return <div ref={ref} style={{ position: 'fixed', left: x, top: y }} />
}
