import { Badge, Button, Text, Title } from '@mantine/core'
import type { GraphContent, Node } from '@meadow/contract'
import type { NodeState } from '@meadow/document'
import { createPortal } from 'react-dom'
import { count } from '../../../shell/count.ts'
import { Dialog } from '../../../shell/dialog.tsx'
import type { GraphStore } from '../../state/store.ts'
import type { Dock } from '../../state/use-dock.ts'
import { portLabel } from '../layout/node-box.ts'
import { useGraph } from '../nodes/graph-context.ts'
import { listValuePorts } from '../nodes/node-values.ts'
import { describeNode, type PortDescription, type ValueDescription } from './describe-node.ts'
import { NodeOrigin } from './node-origin.tsx'
import styles from './properties.module.css'
import { CopyIcon, ScriptSource } from './script-source.tsx'

interface PropertiesProps {
  content: GraphContent
  store: GraphStore
  /** Where there is none, a dialog shows the properties. */
  dock: Dock | undefined
  /** The node whose properties the dialog shows. */
  inspectedId: string | undefined
  close: () => void
}

/** The properties of the node that is selected, in the dock. Where there is none, a dialog shows those of one node. */
export function Properties({ content, store: { selectedIds }, dock, inspectedId, close }: PropertiesProps) {
  const [selectedId] = selectedIds.size === 1 ? selectedIds : []
  const node = content.nodes[(dock ? selectedId : inspectedId) ?? '']
  const properties = node && <NodeProperties key={node.instanceId} node={node} close={close} />
  const hint = (
    <Text size="sm" px={14}>
      Select a node to see its properties.
    </Text>
  )
  if (dock) return dock.place && createPortal(properties ?? hint, dock.place)
  return (
    properties && (
      <Dialog opened onClose={close} title="Properties" size="lg">
        {properties}
      </Dialog>
    )
  )
}

interface NodePropertiesProps {
  node: Node
  /** Closes the dialog that they are in, if any. */
  close: () => void
}

/** Everything that the document knows about a node. */
function NodeProperties({ node, close }: NodePropertiesProps) {
  const { openCluster, teamId, showValues, solution } = useGraph()
  const state = node.state as NodeState | undefined
  const { title, component, plugin, marks, facts, inputs, outputs } = describeNode(node)
  return (
    <div className={styles.properties}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {(component || plugin || marks.length > 0) && (
        <div className={styles.head}>
          {component && <Text size="sm">{component}</Text>}
          {plugin && (
            <Badge variant="light" color="violet" tt="none">
              {plugin}
            </Badge>
          )}
          {marks.map((mark) => (
            <Badge key={mark} variant="light" color="gray" tt="none">
              {mark}
            </Badge>
          ))}
        </div>
      )}
      {state?.kind === 'cluster' && (
        <Button
          variant="light"
          onClick={() => {
            close()
            openCluster(node.instanceId)
          }}
        >
          Open the cluster
        </Button>
      )}
      {state?.kind === 'script' && <ScriptSource script={state} />}
      {teamId !== undefined && (state?.kind === 'script' || state?.kind === 'cluster') && (
        <NodeOrigin node={node} teamId={teamId} />
      )}
      <Facts facts={facts} />
      <Ports title="Inputs" ports={inputs} />
      <Ports title="Outputs" ports={outputs} />
      {showValues &&
        listValuePorts(node, solution).map((portInstanceId) => (
          <Button
            key={portInstanceId}
            size="compact-sm"
            variant="light"
            onClick={() => {
              close()
              showValues({ nodeInstanceId: node.instanceId, portInstanceId })
            }}
          >
            Values of {portLabel(node, portInstanceId)}
          </Button>
        ))}
      <section aria-label="Ids" className={styles.ids}>
        <Id label="Component" id={node.templateId} />
        <Id label="Node" id={node.instanceId} />
      </section>
    </div>
  )
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  if (facts.length === 0) return null
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list does not change.
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Ports({ title, ports }: { title: string; ports: readonly PortDescription[] }) {
  if (ports.length === 0) return null
  return (
    <section aria-label={title}>
      <Title order={4} size="h6" mb={4}>
        {title}
      </Title>
      <ul className={styles.ports}>
        {ports.map((port) => (
          <li key={port.id}>
            <div className={styles.portHead}>
              <span className={styles.portName}>{port.name}</span>
              {port.nickName !== undefined && <span className={styles.nickName}>{port.nickName}</span>}
              <span className={styles.data}>{port.data}</span>
              {port.marks.map((mark) => (
                <Badge key={mark} size="xs" variant="light" color="gray" tt="none">
                  {mark}
                </Badge>
              ))}
              {port.wires > 0 && <span className={styles.data}>{count(port.wires, 'wire')}</span>}
            </div>
            <Values values={port.values} more={port.more} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Values({ values, more }: { values: readonly ValueDescription[]; more: number }) {
  if (values.length === 0) return null
  return (
    <ul className={styles.values}>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values have no other identity.
        <li key={index}>
          {value.position !== undefined && <span className={styles.position}>{value.position}</span>}
          {value.colour !== undefined && (
            <span className={styles.swatch} style={{ background: value.colour }} aria-hidden />
          )}
          <span className={styles.text}>{value.text}</span>
          {value.ids.map(({ label, id }) => (
            <Id key={label} label={label} id={id} />
          ))}
          {value.details.length > 0 && <Details details={value.details} />}
        </li>
      ))}
      {more > 0 && <li className={styles.data}>And {more.toLocaleString('en')} more.</li>}
    </ul>
  )
}

/** Shows what a file says about a value that has no form of its own, such as the colours of a material. */
function Details({ details }: Pick<ValueDescription, 'details'>) {
  return (
    <dl className={styles.details}>
      {details.map(({ name, text, colour }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {colour !== undefined && (
              <span className={styles.swatch} style={{ background: colour }} aria-hidden />
            )}
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** An id that can be read and copied. */
function Id({ label, id }: { label: string; id: string }) {
  return (
    <span className={styles.id}>
      <span className={styles.data}>{label}</span>
      <code>{id}</code>
      <CopyIcon text={id} label={`Copy the id: ${label}`} />
    </span>
  )
}
