import { type PaletteKind, readPalette } from '@meadow/contract/web'
import { findCanvasObject, findComponent, findParameterType } from '@meadow/document'
import { describeKinds, type KindDescription } from '@meadow/solver'
import { serveApp } from '../../http/app/app-route.ts'

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

const collator = new Intl.Collator('en', { numeric: true })

const byPlace = (a: PaletteKind, b: PaletteKind): number =>
  collator.compare(a.category, b.category) ||
  collator.compare(a.subcategory, b.subcategory) ||
  collator.compare(a.name, b.name)
