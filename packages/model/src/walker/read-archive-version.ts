import { ModelFault } from '../opennurbs/model-fault.ts'

const HEADER = /^3D Geometry File Format ( *\d+)$/

/** The archive version in the header of a .3dm file: 50, 60, 70 … Fails: `ModelFault` for other files. */
export function readArchiveVersion(bytes: Uint8Array): number {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(32, bytes.byteLength)).toString(
    'latin1',
  )
  const version = header.length === 32 && HEADER.exec(header)?.[1]
  if (!version) throw new ModelFault('it is not a .3dm file')
  return Number(version)
}
