import { Fault, printable } from './grasshopper-error.ts'

/** A definition, a user object file (and the object inside it), a cluster file, a cluster inside a definition. */
const ROOT_NAMES = ['Root', 'UserObject', 'Cluster', 'Document']

/** Tells an archive from other bytes that happen to look like a chunk. */
export function checkRootName(name: string): void {
  if (ROOT_NAMES.includes(name)) return
  throw new Fault(
    'not_an_archive',
    `An archive starts with ${ROOT_NAMES.join(', ')}, not "${printable(name)}"`,
  )
}

/** Whether inflated bytes, be they only a few, start with the name of a root behind its length. */
export function startsWithRootName(inflated: Uint8Array): boolean {
  return ROOT_NAMES.some((name) => {
    const start = Buffer.from([name.length, ...Buffer.from(name)]).subarray(0, inflated.length)
    return start.equals(inflated.subarray(0, start.length))
  })
}
