import { type PaletteEntry, readPalette } from '@meadow/contract/web'
import {
  findCanvasObject,
  findComponent,
  findParameterType,
  isOfferedVersion,
  type LibraryPort,
  listComponents,
} from '@meadow/document'
import { createNode } from '@meadow/document/live'
import { serveApp } from '../../http/app-api/app-route.ts'
import { DESCRIPTIONS } from './descriptions.data.ts'
import { PORT_DESCRIPTIONS } from './port-descriptions.data.ts'

/** Creates the response once, since it is the same for everyone. */
export const paletteRoutes = () => {
  let response: Promise<Buffer> | undefined
  return [
    serveApp(readPalette, () => {
      response ??= writePalette()
      return response
    }),
  ]
}

async function writePalette(): Promise<Buffer> {
  // Nothing else in the server needs the solver, which takes a tenth of a second to load.
  const { findUnsupportedReason, listKinds } = await import('@meadow/solver')
  const solved = listKinds().flatMap((kind) =>
    kind.guids.flatMap((guid) => listOffered(guid, { description: kind.description, unsolved: null })),
  )
  const known = new Set(listKinds().flatMap(({ guids }) => guids))
  const others = listComponents()
    .filter(({ guid }) => !known.has(guid))
    .flatMap(({ guid }) => {
      const unsolved = findUnsupportedReason(createNode(guid, { position: { x: 0, y: 0 } }))
      return unsolved === undefined
        ? []
        : listOffered(guid, { description: DESCRIPTIONS[guid] ?? '', unsolved })
    })
  return Buffer.from(JSON.stringify({ kinds: [...solved, ...others] }))
}

/** A class that the component library knows and offers, with descriptions of its ports. */
function listOffered(
  guid: string,
  { description, unsolved }: Pick<PaletteEntry, 'description' | 'unsolved'>,
): PaletteEntry[] {
  const component = findComponent(guid)
  const known = component ?? findParameterType(guid) ?? findCanvasObject(guid)
  if (!known || !isOfferedVersion(known)) return []
  return [
    {
      templateId: guid,
      description,
      unsolved,
      inputs: component?.inputs.map((port) => describePort(port, 'in')) ?? [],
      outputs: component?.outputs.map((port) => describePort(port, 'out')) ?? [],
    },
  ]
}

const describePort = ({ name, typeName }: LibraryPort, side: 'in' | 'out'): string =>
  PORT_DESCRIPTIONS[`${name}, ${side}, ${typeName}`] ??
  PORT_DESCRIPTIONS[`${name}, ${typeName}`] ??
  PORT_DESCRIPTIONS[`${name}, ${side}`] ??
  PORT_DESCRIPTIONS[name] ??
  ''
