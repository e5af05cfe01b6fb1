import type { Edit } from '../facts/fact.ts'

/** The edits of ports, which their first id names, in the order of the ports; those of no port last. */
export function inPortOrder<Name extends string>(
  edits: readonly Edit<Name>[],
  order: readonly string[],
): Edit<Name>[] {
  const places = new Map(order.map((id, place) => [id, place]))
  const place = ({ ids }: Edit<Name>) => places.get(ids[0]!) ?? order.length
  return edits.toSorted((a, b) => place(a) - place(b))
}
