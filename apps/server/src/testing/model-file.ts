import rhino3dm, { type File3dm } from 'rhino3dm'

const rhino = await rhino3dm()

/** The bytes of a model (`.3dm`) with one point, and the point's id. */
export function createModelFile(x = 0): { bytes: Uint8Array; objectId: string } {
  const file = new rhino.File3dm() as File3dm & { delete(): void }
  file.objects().add(new rhino.Point([x, 0, 0] as never) as never, null as never)
  const objectId = file.objects().get(0).attributes().id.toLowerCase()
  const bytes = Uint8Array.from(file.toByteArray())
  file.delete()
  return { bytes, objectId }
}
