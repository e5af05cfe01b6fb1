import { getTransparency } from '@meadow/geometry/values/shader'
import type { Shader } from '@meadow/geometry/values/value'
import { createUniqueNames } from './unique-names.ts'
import { createMaterialId } from './value-location.ts'

type Rgb = readonly [red: number, green: number, blue: number]

/** A material as openNURBS has it. */
export interface PlannedMaterial {
  /** A UUID. */
  id: string
  name: string
  diffuse: Rgb
  specular: Rgb
  emission: Rgb
  /** The transparency, from 0 (opaque) to 1. */
  transparency: number
  /** The shine, from 0 to 255. */
  shine: number
}

/** Rhino opens files with thousands of materials slowly. */
export const MAX_MATERIALS = 1000

export interface MaterialPlan {
  materials: PlannedMaterial[]
  /** The index of a shader's material; undefined for one that is not written. */
  indexOf(shader: Shader): number | undefined
}

/**
 * Plans a material for each different shader, in the order in which they are used first. If there are more than
 * `MAX_MATERIALS`, only those that most values have are written.
 */
export function planMaterials(shaders: Iterable<Shader>, documentId: string): MaterialPlan {
  const uses = new Map<string, { looks: Looks; count: number }>()
  for (const shader of shaders) {
    const looks = toLooks(shader)
    const key = JSON.stringify(looks)
    const use = uses.get(key)
    if (use) use.count++
    else uses.set(key, { looks, count: 1 })
  }
  const most = [...uses].sort(([, a], [, b]) => b.count - a.count).slice(0, MAX_MATERIALS)
  const written = new Set(most.map(([key]) => key))
  const makeUnique = createUniqueNames()
  const materials: PlannedMaterial[] = []
  const indices = new Map<string, number>()
  for (const [key, { looks }] of uses) {
    if (!written.has(key)) continue
    indices.set(key, materials.length)
    materials.push({ id: createMaterialId(documentId, key), name: makeUnique(nameOf(looks)), ...looks })
  }
  return { materials, indexOf: (shader) => indices.get(JSON.stringify(toLooks(shader))) }
}

type Looks = Omit<PlannedMaterial, 'id' | 'name'>

/** Converts a shader, whose shine goes to 100. */
function toLooks(shader: Shader): Looks {
  const { diffuse, specular, emission, shine } = shader
  return {
    diffuse: toRgb(diffuse),
    specular: toRgb(specular),
    emission: toRgb(emission),
    transparency: getTransparency(shader),
    shine: (shine / 100) * 255,
  }
}

const toRgb = ({ red, green, blue }: Shader['diffuse']): Rgb => [red, green, blue]

/** Returns a name such as `#ff8000` or `#ff8000, 40% transparent`. */
function nameOf({ diffuse, transparency }: Looks): string {
  const hex = diffuse.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')
  return transparency === 0 ? `#${hex}` : `#${hex}, ${Math.round(100 * transparency)}% transparent`
}
