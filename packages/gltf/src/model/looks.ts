import { getTransparency } from '@meadow/geometry/values/shader'
import type { Shader } from '@meadow/geometry/values/value'

/** How a value looks, in numbers from 0 to 1. Colours are sRGB. */
export interface Looks {
  name: string
  colour: readonly [red: number, green: number, blue: number]
  emission: readonly [red: number, green: number, blue: number]
  opacity: number
  shine: number
}

type Rgb = Looks['colour']

/** The looks of surfaces without a colour of their own. */
const GREY: Looks = {
  name: 'Surface',
  colour: [0.8, 0.8, 0.8],
  emission: [0, 0, 0],
  opacity: 1,
  shine: 0,
}
/** The looks of lines and points without a colour of their own. */
const DARK: Looks = { ...GREY, name: 'Line', colour: [0.2, 0.2, 0.2] }
/** The looks of meshes whose vertices have colours, which the colour of the material is multiplied with. */
const WHITE: Looks = { ...GREY, name: 'Mesh', colour: [1, 1, 1] }

/** Returns the looks of a value. A `surface` has triangles, and a `mesh` has triangles whose vertices have colours. */
export function findLooks(kind: 'surface' | 'mesh' | 'line', material: Shader | undefined): Looks {
  if (!material) return { surface: GREY, mesh: WHITE, line: DARK }[kind]
  const { diffuse, emission, shine } = material
  const opacity = 1 - getTransparency(material)
  const colour = toRgb(diffuse)
  return { name: nameOf(colour, opacity), colour, emission: toRgb(emission), opacity, shine: shine / 100 }
}

const toRgb = ({ red, green, blue }: Shader['diffuse']): Rgb => [red / 255, green / 255, blue / 255]

/** Names looks by their colour, such as `#8fc1d966`, with the opacity only where it is not full. */
function nameOf(colour: Rgb, opacity: number): string {
  const parts = opacity < 1 ? [...colour, opacity] : colour
  return `#${parts
    .map((part) =>
      Math.round(255 * part)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
