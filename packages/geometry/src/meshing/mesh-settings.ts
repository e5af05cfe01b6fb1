/**
 * The settings that determine how fine the mesh of a brep is. A setting of zero has no effect. Angles are in radians,
 * lengths in the document's unit. Source: the settings of `Rhino.Geometry.MeshingParameters`, as files hold them.
 */
export interface MeshSettings {
  /** The largest angle between neighbouring pieces of an edge, or of a face. */
  readonly maxAngle: number
  readonly maxEdge: number
  /** The largest distance between the middle of a piece and the edge or the face. */
  readonly maxDistance: number
  /** The number of quads that each bent face has at least. */
  readonly minCount: number
  readonly maxCount: number
  /** Plane faces have no vertices inside. */
  readonly hasSimplePlanes: boolean
}

/** The angle where the settings leave the density open: it is then Rhino's decision, which is not published. */
const USUAL_ANGLE = Math.PI / 12
/** Finer meshes cannot be distinguished. */
const SMALLEST_ANGLE = Math.PI / 360

/** The settings of a new Mesh Brep component, as in files. */
export const DEFAULT_SETTINGS: MeshSettings = {
  maxAngle: USUAL_ANGLE,
  maxEdge: 0,
  maxDistance: 0,
  minCount: 16,
  maxCount: 0,
  hasSimplePlanes: true,
}

const PREFIX = 'Mesh settings with '

/**
 * Reads the description of mesh settings, such as `Mesh settings with MaxEdgeLength 5, SimplePlanes false`, which names
 * the items of a file that are not as in a new component. Undefined for other descriptions.
 */
export function readMeshSettings(description: string): MeshSettings | undefined {
  if (description === 'Mesh settings') return DEFAULT_SETTINGS
  if (!description.startsWith(PREFIX)) return undefined
  const items = new Map(
    description
      .slice(PREFIX.length)
      .split(', ')
      .map((item) => item.split(' ') as [string, string]),
  )
  const find = (name: string, usual: number) => {
    const value = Number(items.get(name) ?? usual)
    return Number.isFinite(value) ? value : usual
  }
  const angle = find('RefineAngle', 0)
  return {
    maxAngle: angle > 0 ? Math.max(Math.min(angle, USUAL_ANGLE), SMALLEST_ANGLE) : USUAL_ANGLE,
    maxEdge: find('MaxEdgeLength', 0),
    maxDistance: find('Tolerance', 0),
    minCount: find('GridMinCount', DEFAULT_SETTINGS.minCount),
    maxCount: find('GridMaxCount', 0),
    hasSimplePlanes: items.get('SimplePlanes') !== 'false',
  }
}

/** The description of settings, by the names of their items in files. */
export function describeMeshSettings(items: Readonly<Record<string, number | boolean>>): string {
  const parts = Object.entries(items).map(([name, value]) => `${name} ${value}`)
  return parts.length === 0 ? 'Mesh settings' : `${PREFIX}${parts.join(', ')}`
}
