import type { Kind } from '../declaration/define-kind.ts'
import { CURVE_ANALYSIS, CURVE_FRAMES } from './analysis.ts'
import { BI_ARCS } from './bi-arc.ts'
import { BLENDS } from './blends.ts'
import { CHAINS } from './catenary.ts'
import { CIRCLES_OF_POINTS, TANGENTS } from './circles.ts'
import { CURVE_PARTS, DIVISIONS } from './division.ts'
import { CURVE_INTERSECTIONS } from './intersections.ts'
import { ARCS, CIRCLES, LINES } from './lines-and-arcs.ts'
import { CURVE_MEASURES } from './measures.ts'
import { POLYGONS, RECTANGLES } from './polygons.ts'
import { CURVE_PROPERTIES } from './properties.ts'
import { REGIONS } from './regions.ts'
import { SIMPLIFICATIONS } from './simplification.ts'
import { KINKY_CURVES, SPLINES } from './splines.ts'
import { TANGENT_CURVES } from './tangent-curves.ts'
import { CURVE_UTIL, EXTENSION } from './util.ts'

export const CURVE_KINDS: readonly Kind[] = [
  ...LINES,
  ...CIRCLES,
  ...ARCS,
  ...RECTANGLES,
  ...POLYGONS,
  ...SPLINES,
  ...KINKY_CURVES,
  ...CURVE_ANALYSIS,
  ...CURVE_PARTS,
  ...CURVE_MEASURES,
  ...CURVE_FRAMES,
  ...DIVISIONS,
  ...CURVE_UTIL,
  ...SIMPLIFICATIONS,
  ...EXTENSION,
  ...CURVE_INTERSECTIONS,
  ...REGIONS,
  ...CURVE_PROPERTIES,
  ...CIRCLES_OF_POINTS,
  ...TANGENTS,
  ...TANGENT_CURVES,
  ...CHAINS,
  ...BI_ARCS,
  ...BLENDS,
]
