import type { Node } from '@meadow/contract'
import type { SliderState } from '@meadow/document'
import { addNodes, createNode, setPanelText } from '@meadow/document/live'
import type { Doc } from 'yjs'
import type { PaletteChoice } from './palette-search.ts'

/** Puts what was chosen on the canvas; gives the new node's id. */
export function placeChoice(
  doc: Doc,
  choice: PaletteChoice,
  position: Node['position'],
  origin: unknown,
): string {
  const node = createNode(choice.kind.templateId, { position })
  const { setup } = choice
  if (setup && 'slider' in setup) setUpSlider(node, setup.slider)
  doc.transact(() => {
    addNodes(doc, [node], origin)
    if (setup && 'panelText' in setup) setPanelText(doc, node.instanceId, setup.panelText, origin)
  }, origin)
  return node.instanceId
}

type SliderSetup = Extract<NonNullable<PaletteChoice['setup']>, { slider: object }>['slider']

/** A slider is born with its range: one step to be undone. */
function setUpSlider(node: Node, { minimum, value, maximum, decimals }: SliderSetup): void {
  const state: SliderState = {
    ...(node.state as SliderState),
    minimum,
    maximum,
    decimals,
    interval: decimals === 0 ? 'integer' : 'real',
  }
  node.state = state
  const type = state.interval === 'integer' ? ('integer' as const) : ('number' as const)
  node.values[node.instanceId] = { branches: [{ path: '{0}', values: [{ type, value }] }] }
}
