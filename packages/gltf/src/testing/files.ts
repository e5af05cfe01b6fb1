import validator from 'gltf-validator'
import type { Group as Scene } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js'

const [WARNING, INFO] = [1, 2]
/** The validator does not know EXT_mesh_features, a vendor-neutral extension that it says it ignores. */
const IGNORED = 'UNSUPPORTED_EXTENSION'

/** Everything that Khronos' validator says about a file, down to remarks, as sentences. */
export async function validate(bytes: Uint8Array): Promise<string[]> {
  const { issues } = await validator.validateBytes(bytes, { maxIssues: 20 })
  return issues.messages
    .filter(({ severity, code }) => severity <= WARNING || (severity === INFO && code !== IGNORED))
    .map(({ code, message, pointer }) => `${code} ${pointer}: ${message}`)
}

/** The file as three.js reads it. */
export async function loadGlb({ buffer }: { buffer: ArrayBuffer }): Promise<Scene> {
  const { scene } = await new GLTFLoader().parseAsync(buffer, '')
  return scene
}

export const loadObj = (text: string): Scene => new OBJLoader().parse(text)
