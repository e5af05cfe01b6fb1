import { Fault, printable } from './grasshopper-error.ts'

/** The roots of a definition, a user object file (and the object in it), a cluster file, and a cluster in a definition. */
const ROOT_NAMES = ['Root', 'UserObject', 'Cluster', 'Document']

/** Distinguishes an archive from other bytes that happen to look like a chunk. */
export function checkRootName(name: string): void {
  if (ROOT_NAMES.includes(name)) return
  throw new Fault(
    'not_an_archive',
    `An archive starts with ${ROOT_NAMES.join(', ')}, not "${printable(name)}"`,
  )
}

/** Whether inflated bytes, however few, start with the length and name of a root. */
export function startsWithRootName(inflated: Uint8Array): boolean {
  return ROOT_NAMES.some((name) => {
    const start = Buffer.from([name.length, ...Buffer.from(name)]).subarray(0, inflated.length)
    return start.equals(inflated.subarray(0, start.length))
  })
}
