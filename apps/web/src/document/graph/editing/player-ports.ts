import type { GraphContent, Node, PortReference } from '@meadow/contract'

/** What the player of a document shows. */
export interface PlayerPorts {
  inputs: readonly PortReference[]
  outputs: readonly PortReference[]
  /** Whether ports are pinned. Otherwise, these are the ports that `listUsualPorts` finds. */
  isPinned: boolean
}

export function listPlayerPorts(content: GraphContent): PlayerPorts {
  const { inputs, outputs } = content.configuration
  if (inputs.length > 0 || outputs.length > 0) return { inputs, outputs, isPinned: true }
  return { ...listUsualPorts(content), isPinned: false }
}

const TOGGLE = '2e78987b-9dfb-42a2-8b76-3923ac8bd91a'
const SWATCH = '9c53bac0-ba66-40bd-8154-ce9829b9db1a'
const INPUT_STATES: ReadonlySet<unknown> = new Set(['slider', 'valueList', 'button'])

/**
 * The ports that most people would pin: as inputs the sliders, lists, toggles, buttons, colour swatches and panels that
 * feed something, as outputs the panels that something feeds. From top to bottom on the canvas.
 */
export function listUsualPorts({ nodes }: GraphContent): Pick<PlayerPorts, 'inputs' | 'outputs'> {
  const feeding = new Set<string>()
  for (const { sources } of Object.values(nodes))
    for (const { nodeInstanceId } of Object.values(sources).flat()) feeding.add(nodeInstanceId)
  const isFed = ({ instanceId, sources }: Node) => (sources[instanceId] ?? []).length > 0
  const isPanel = ({ state }: Node) => state?.kind === 'panel'
  const isInput = (node: Node) =>
    feeding.has(node.instanceId) &&
    !isFed(node) &&
    (INPUT_STATES.has(node.state?.kind) || [TOGGLE, SWATCH].includes(node.templateId) || isPanel(node))
  const list = (isChosen: (node: Node) => boolean) =>
    Object.values(nodes)
      .filter((node) => node.status.isEnabled && isChosen(node))
      .sort((a, b) => a.position.y - b.position.y || a.position.x - b.position.x)
      .map(({ instanceId }) => toOwnPort(instanceId))
  return { inputs: list(isInput), outputs: list((node) => isPanel(node) && isFed(node)) }
}

/** The one port of a parameter object. */
export const toOwnPort = (nodeInstanceId: string): PortReference => ({
  nodeInstanceId,
  portInstanceId: nodeInstanceId,
})
