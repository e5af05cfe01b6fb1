import type { Shader } from '@meadow/geometry/values/value'
import { findLooks, type Looks } from '../model/looks.ts'
import type { GltfMaterial } from './gltf.ts'

/** The materials of a file, without repetitions. */
export interface Materials {
  indexOf(kind: Parameters<typeof findLooks>[0], material: Shader | undefined): number
  readonly list: GltfMaterial[]
}

export function createMaterials(): Materials {
  const list: GltfMaterial[] = []
  const indices = new Map<string, number>()
  return {
    list,
    indexOf(kind, material) {
      const looks = findLooks(kind, material)
      // Lines and points have no normals, which shading needs.
      const isLit = kind !== 'line'
      const key = JSON.stringify([looks, isLit])
      const known = indices.get(key)
      if (known !== undefined) return known
      list.push(toMaterial(looks, isLit))
      indices.set(key, list.length - 1)
      return list.length - 1
    },
  }
}

/** Converts looks to a material. Surfaces are visible from both sides, as in Rhino. */
function toMaterial({ name, colour, emission, opacity, shine }: Looks, isLit: boolean): GltfMaterial {
  return {
    name,
    pbrMetallicRoughness: {
      baseColorFactor: [...colour.map(toLinear), opacity],
      metallicFactor: 0,
      roughnessFactor: round(1 - 0.8 * shine),
    },
    ...(emission.some((part) => part > 0) && { emissiveFactor: emission.map(toLinear) }),
    ...(opacity < 1 && { alphaMode: 'BLEND' }),
    ...(isLit ? { doubleSided: true } : { extensions: { KHR_materials_unlit: {} } }),
  }
}

/**
 * Converts a part of a colour from sRGB, in which colours are chosen, to the linear numbers of glTF. Source: IEC
 * 61966-2-1.
 */
export function toLinear(part: number): number {
  return round(part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
}

const round = (number: number): number => Math.round(number * 1e6) / 1e6
