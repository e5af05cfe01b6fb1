import { type PaletteKind, readPalette } from '@meadow/contract/web'
import { findCanvasObject, findComponent, findParameterType } from '@meadow/document'
import { describeKinds, type KindDescription } from '@meadow/solver'
import { serveApp } from '../../http/app/app-route.ts'
import { compareNames } from '../../platform/sort-by-name.ts'

/** The same for everyone for as long as the process runs. */
export const paletteRoutes = () => {
  const kinds = describeKinds().map(toPaletteKind).sort(byPlace)
  const answer = Buffer.from(JSON.stringify({ kinds }))
  return [serveApp(readPalette, () => answer)]
}

function toPaletteKind({ guid, name, description, inputs, outputs }: KindDescription): PaletteKind {
  const parameter = findParameterType(guid)
  const known = findComponent(guid) ?? parameter ?? findCanvasObject(guid)
  return {
    templateId: guid,
    name,
    nickName: known?.nickName ?? name,
    category: known?.category ?? '',
    subcategory: known?.subcategory ?? '',
    description,
    isParameter: parameter !== undefined,
    inputs,
    outputs,
  }
}

const byPlace = (a: PaletteKind, b: PaletteKind): number =>
  compareNames(a.category, b.category) ||
  compareNames(a.subcategory, b.subcategory) ||
  compareNames(a.name, b.name)
