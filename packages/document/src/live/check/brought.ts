import type { Id, Struct } from './decode-update.ts'
import type { GONE, Place } from './place.ts'

interface BroughtStruct {
  struct: Struct
  place: Place | typeof GONE
}

/** The pieces of an update that have a place already, by client in the order of clocks. */
export function createBrought() {
  const lists = new Map<number, BroughtStruct[]>()
  return {
    add(struct: Struct, place: BroughtStruct['place']): void {
      const list = lists.get(struct.client)
      if (list) list.push({ struct, place })
      else lists.set(struct.client, [{ struct, place }])
    },
    /** The clock after the last piece of a client; undefined where there is none. */
    findEnd(client: number): number | undefined {
      const last = lists.get(client)?.at(-1)?.struct
      return last && last.clock + last.length
    },
    /** The piece with a clock that is known to be among them. */
    get({ client, clock }: Id): BroughtStruct {
      const list = lists.get(client)!
      let [low, high] = [0, list.length - 1]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if (list[middle]!.struct.clock <= clock) low = middle
        else high = middle - 1
      }
      return list[low]!
    },
  }
}
