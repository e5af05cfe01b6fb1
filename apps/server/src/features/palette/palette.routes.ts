import { type PaletteKind, type PalettePort, readPalette } from '@meadow/contract/web'
import {
  findCanvasObject,
  findComponent,
  findParameterType,
  isOfferedVersion,
  type LibraryPort,
} from '@meadow/document'
import { serveApp } from '../../http/app-api/app-route.ts'
import { compareNames } from '../../platform/sort-by-name.ts'

/** The same response for everyone, created once. */
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
  const { listKinds } = await import('@meadow/solver')
  const kinds = listKinds().flatMap((kind) =>
    kind.guids.flatMap((guid) => listOffered(guid, kind.description)),
  )
  return Buffer.from(JSON.stringify({ kinds: kinds.sort(byTab) }))
}

/** The class as the component library knows it: with the names, ports and tab that a new node of it has. */
function listOffered(guid: string, description: string): PaletteKind[] {
  const component = findComponent(guid)
  const parameter = findParameterType(guid)
  const known = component ?? parameter ?? findCanvasObject(guid)
  if (!known || !isOfferedVersion(known)) return []
  const { name, nickName, category, subcategory } = known
  return [
    {
      templateId: guid,
      name,
      nickName: nickName || name,
      category,
      subcategory,
      description,
      isParameter: parameter !== undefined,
      inputs: component?.inputs.map(toPalettePort) ?? [],
      outputs: component?.outputs.map(toPalettePort) ?? [],
    },
  ]
}

function toPalettePort({
  name,
  nickName,
  typeName,
  access,
  isOptional,
  isRepeated,
}: LibraryPort): PalettePort {
  return { name, nickName, type: typeName, access, isOptional, isRepeated: isRepeated ?? false }
}

const byTab = (a: PaletteKind, b: PaletteKind): number =>
  compareNames(a.category, b.category) ||
  compareNames(a.subcategory, b.subcategory) ||
  compareNames(a.name, b.name)
