import type { Kind } from '../define-kind.ts'
import { CURVE_ANALYSIS } from './analysis.ts'
import { ARCS } from './arcs.ts'
import { CIRCLES } from './circles.ts'
import { DIVISIONS } from './division.ts'
import { EXTENSION } from './extension.ts'
import { CURVE_FRAMES } from './frames.ts'
import { CURVE_INTERSECTIONS } from './intersections.ts'
import { KINKY } from './kinky.ts'
import { LINES } from './lines.ts'
import { CURVE_PARTS } from './parts.ts'
import { POLYGONS } from './polygons.ts'
import { RECTANGLES } from './rectangles.ts'
import { SPLINES } from './splines.ts'
import { CURVE_UTIL } from './util.ts'

export const CURVE_KINDS: readonly Kind[] = [
  ...LINES,
  ...CIRCLES,
  ...ARCS,
  ...RECTANGLES,
  ...POLYGONS,
  ...SPLINES,
  ...KINKY,
  ...CURVE_ANALYSIS,
  ...CURVE_PARTS,
  ...CURVE_FRAMES,
  ...DIVISIONS,
  ...CURVE_UTIL,
  ...EXTENSION,
  ...CURVE_INTERSECTIONS,
]
