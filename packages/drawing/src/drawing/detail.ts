/** How finely a geometry is drawn. */
export interface Detail {
  /** The largest angle between neighbouring pieces of a line, in radians. */
  line: number
  /** The largest angle between neighbouring pieces of a face: shading hides bends that a line would show. */
  face: number
  /** Whether drawings have no isocurves. */
  isPlain?: boolean
}

export const FINE: Detail = { line: Math.PI / 36, face: Math.PI / 24 }
export const COARSE: Detail = { line: Math.PI / 24, face: Math.PI / 12 }
/** Shows the shape while something moves. */
export const ROUGH: Detail = { line: Math.PI / 8, face: Math.PI / 4, isPlain: true }
