import type { Author, GraphContent } from '@meadow/document'
import { readArchive } from '../archive/read-archive.ts'
import type { Archive, Chunk } from '../archive/tree/archive.ts'
import { createChunk } from '../archive/tree/edit.ts'
import { findItem } from '../archive/tree/find.ts'
import { GrasshopperError, type GrasshopperErrorCode } from '../archive/tree/grasshopper-error.ts'
import type { Limits } from '../archive/tree/limits.ts'
import { CLASS } from './model/class-ids.ts'
import type { Note } from './model/definition.ts'
import { describeArchive, listObjects } from './model/definition-object.ts'
import { findAuthor, findLinkedPath, findPicture } from './model/file-parts.ts'
import { wrapContainer } from './model/placed-object.ts'
import { findText } from './model/text.ts'
import { type ClusterLimits, type ReadClusters, readClusterContents } from './read-clusters.ts'
import { readGraph } from './reading/read-graph.ts'
import { createDefinitionContext } from './reading/values/value-context.ts'

/** An object that a file holds so that it can be placed in definitions. */
export interface LibraryItem {
  name: string
  nickName: string
  description: string
  /** The bytes of a PNG file, of at most `MAX_PICTURE_BYTES`. */
  icon?: Uint8Array
  author?: Author
  /** The graph with the object alone, as it is when it is placed. */
  content: GraphContent
  notes: Note[]
  /** The content of the object if it is a cluster, by its node id. */
  clusters: ReadClusters
}

/** The file of a user object (.ghuser). */
export interface UserObject extends LibraryItem {
  /** The tab of Grasshopper that has the object. */
  category: string
  subcategory: string
  /** The GUID of the class of the object. */
  baseId: string
  /** The id of the user object itself. */
  userObjectId?: string
  /** The row of the tab, a number of Grasshopper's GH_Exposure: 2 primary, 4 secondary …, -1 hidden. */
  exposure: number
}

/** The file of a cluster (.ghcluster). */
export interface ClusterFile extends LibraryItem {
  /** The path of the file when it was saved. */
  path?: string
}

/**
 * Reads the bytes of a .ghuser file (rules GHD-54 and GHD-56 of SPEC.md).
 * Fails: `GrasshopperError` as `readArchive`, with `not_a_user_object` for other archives, and with `malformed` for an
 * object that cannot be read. The limits apply to the file and to the object in it, each.
 */
export function readUserObject(bytes: Uint8Array, limits: Partial<Limits & ClusterLimits> = {}): UserObject {
  const { root, baseId, container } = openUserObject(bytes, limits)
  const icon = findPicture(findItem(root, 'Icon', 'bytearray'))
  const author = findAuthor(root) ?? findAuthor(container)
  const userObjectId = findItem(root, 'InstanceGuid', 'guid')
  return {
    name: findText(root, 'Name') ?? '',
    nickName: findText(root, 'NickName') ?? '',
    description: findText(root, 'Description') ?? '',
    category: findText(root, 'Category') ?? '',
    subcategory: findText(root, 'SubCategory') ?? '',
    baseId,
    ...(userObjectId ? { userObjectId } : {}),
    exposure: findItem(root, 'Exposure', 'int32') ?? 0,
    ...(icon ? { icon } : {}),
    ...(author ? { author } : {}),
    ...readAlone(container, baseId, limits),
  }
}

/**
 * Reads the bytes of a .ghcluster file (rules GHD-55 and GHD-56 of SPEC.md). A content that cannot be read is `unknown`.
 * Fails: `GrasshopperError` as `readArchive`, with `not_a_cluster` for other archives, and with `malformed` for an object
 * without id.
 */
export function readClusterFile(
  bytes: Uint8Array,
  limits: Partial<Limits & ClusterLimits> = {},
): ClusterFile {
  const root = openClusterFile(bytes, limits)
  const icon = findPicture(findItem(root, 'IconOverride', 'drawing_bitmap'))
  const author = findAuthor(root)
  const path = findLinkedPath(root)
  return {
    name: findText(root, 'Name') ?? '',
    nickName: findText(root, 'NickName') ?? '',
    description: findText(root, 'Description') ?? '',
    ...(icon ? { icon } : {}),
    ...(author ? { author } : {}),
    ...(path ? { path } : {}),
    ...readAlone(root, CLASS.cluster, limits),
  }
}

/** The root of a .ghuser file, the class of its object, and the items of the object. */
export function openUserObject(
  bytes: Uint8Array,
  limits: Partial<Limits>,
): { root: Chunk; baseId: string; container: Chunk } {
  const archive = readArchive(bytes, limits)
  const { root } = archive
  checkRoot(archive, 'UserObject', 'not_a_user_object', 'a user object')
  const baseId = findItem(root, 'BaseID', 'guid')
  const packed = findItem(root, 'Object', 'bytearray')
  if (!baseId || !packed) {
    throw new GrasshopperError('malformed', 'The user object lacks its BaseID or Object', 'UserObject')
  }
  return { root, baseId, container: readArchive(packed, limits).root }
}

/** The root of a .ghcluster file: the items of the cluster. */
export function openClusterFile(bytes: Uint8Array, limits: Partial<Limits>): Chunk {
  const archive = readArchive(bytes, limits)
  checkRoot(archive, 'Cluster', 'not_a_cluster', 'a cluster file')
  return archive.root
}

function checkRoot({ root }: Archive, name: string, code: GrasshopperErrorCode, expected: string): void {
  if (root.name === name) return
  throw new GrasshopperError(code, `This is ${describeArchive(root)}, not ${expected}`, root.name)
}

/** The object as the only one of a definition, with the content of a cluster. */
function readAlone(
  container: Chunk,
  classId: string,
  limits: Partial<ClusterLimits>,
): Pick<LibraryItem, 'content' | 'notes' | 'clusters'> {
  const object = wrapContainer(classId, container)
  const list = createChunk('DefinitionObjects', [{ ...object, index: 0 }])
  const definition = createChunk('Definition', [list])
  const objects = listObjects(definition)
  const notes: Note[] = []
  const context = createDefinitionContext(notes)
  const content = readGraph(definition, objects, context)
  // Wires lead to objects of the definition that the object was saved from.
  const found = notes.filter(({ kind }) => kind !== 'dropped_wire')
  return { content, notes: found, clusters: readClusterContents(objects, context, limits) }
}
