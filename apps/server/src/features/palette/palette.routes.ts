import { type PaletteKind, readPalette } from '@meadow/contract/web'
import { findCanvasObject, findComponent, findParameterType } from '@meadow/document'
import type { KindDescription } from '@meadow/solver'
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
  const { describeKinds, EARLIER_FAMILY } = await import('@meadow/solver')
  const offered = describeKinds().filter(({ family }) => family !== EARLIER_FAMILY)
  const kinds = offered.map(toPaletteKind).sort(byTab)
  return Buffer.from(JSON.stringify({ kinds }))
}

function toPaletteKind({ guid, name, family, description, inputs, outputs }: KindDescription): PaletteKind {
  const parameter = findParameterType(guid)
  const known = findComponent(guid) ?? parameter ?? findCanvasObject(guid)
  return {
    templateId: guid,
    name,
    nickName: known?.nickName ?? name,
    category: known?.category ?? TABS[family] ?? family,
    subcategory: known?.subcategory ?? family,
    description,
    isParameter: parameter !== undefined,
    inputs,
    outputs,
  }
}

/** The tabs of Grasshopper for the families of kinds that are not in the catalogue. */
const TABS: Record<string, string> = {
  'Parameters and inputs': 'Params',
  Maths: 'Maths',
  'Lists and sets': 'Sets',
  Trees: 'Sets',
  Text: 'Sets',
  'Points, vectors and planes': 'Vector',
  Curves: 'Curve',
  'Surfaces and solids': 'Surface',
  Meshes: 'Mesh',
  Transforms: 'Transform',
  Colours: 'Display',
  Display: 'Display',
}

const byTab = (a: PaletteKind, b: PaletteKind): number =>
  compareNames(a.category, b.category) ||
  compareNames(a.subcategory, b.subcategory) ||
  compareNames(a.name, b.name)
