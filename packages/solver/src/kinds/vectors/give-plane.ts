import type { Plane } from '../../values/points.ts'
import type { KindContext } from '../define-kind.ts'

/** Null, with an error, where there is no plane. */
export function givePlane(
  found: Plane | undefined,
  mistake: string,
  context: KindContext,
): { plane: Plane | null } {
  if (!found) context.error(mistake)
  return { plane: found ?? null }
}
