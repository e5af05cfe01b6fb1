import type { Author, Cluster, DefinitionFacts, Picture, Plugin } from '@meadow/document'
import type { Chunk } from '../archive/tree/archive.ts'
import { findItem } from '../archive/tree/find.ts'
import type { Definition, Library } from './model/definition.ts'
import { findPictureSize } from './model/file-parts.ts'
import type { KnownCluster, ReadClusters, UnknownCluster } from './read-clusters.ts'

/** Limits of texts, in characters, and of the list of plug-ins. Real files stay far below. */
const MAX_DESCRIPTION = 20_000
const MAX_TEXT = 1000
const MAX_PLUGINS = 500

/** What a definition says about itself, in the form of the contract. `clusters` count towards the plug-ins. */
export function describeDefinition(
  { header, objects, thumbnail }: Definition,
  clusters: ReadClusters,
): DefinitionFacts {
  const { description, name, savedAt, author, documentId } = header
  const rhino = findRhinoVersion(header.libraries)
  const versions = {
    ...(header.pluginVersion ? { grasshopper: header.pluginVersion } : {}),
    ...(rhino ? { rhino } : {}),
    ...(header.archiveVersion ? { archive: header.archiveVersion } : {}),
  }
  const picture = thumbnail && toPicture(thumbnail)
  return {
    plugins: listPlugins(header.libraries, countUses(objects), clusters),
    ...(description ? { description: shorten(description, MAX_DESCRIPTION) } : {}),
    ...(author ? { author: shortenAuthor(author) } : {}),
    ...(name ? { savedName: shorten(name, MAX_TEXT) } : {}),
    ...(savedAt ? { savedAt } : {}),
    ...(Object.keys(versions).length > 0 ? { versions } : {}),
    ...(documentId ? { documentId } : {}),
    ...(picture ? { thumbnail: picture } : {}),
  }
}

/** The picture in the form of the contract; undefined for bytes that are not a PNG file. */
export function toPicture(png: Uint8Array): Picture | undefined {
  const size = findPictureSize(png)
  return size && { mediaType: 'image/png', ...size, data: Buffer.from(png).toString('base64') }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
const MCNEEL_BUILD = /^[678]\.\d+\.\d{5}\.\d+$/

/** Libraries without an id come with Rhino and have its version; Rhino 7 and earlier list only those of scripts. */
function findRhinoVersion(libraries: readonly Library[]): string | undefined {
  return libraries.find(({ id, version }) => id === NO_ID && MCNEEL_BUILD.test(version))?.version
}

function countUses(objects: Definition['objects']): Map<string, number> {
  const uses = new Map<string, number>()
  for (const object of objects.values()) addUse(uses, findLibraryId(object), 1)
  return uses
}

const findLibraryId = (object: Chunk) => findItem(object, 'Lib', 'guid')

function addUse(uses: Map<string, number>, id: string | undefined, count: number): void {
  if (id !== undefined) uses.set(id, (uses.get(id) ?? 0) + count)
}

/** The plug-ins that the definition or a cluster in it names, and those that it uses without naming them. */
function listPlugins(
  libraries: readonly Library[],
  uses: Map<string, number>,
  clusters: ReadClusters,
): Plugin[] {
  const found = new Map<string, Library>()
  const add = (library: Library) => {
    if (library.id !== NO_ID && library.id !== '' && !found.has(library.id)) found.set(library.id, library)
  }
  libraries.forEach(add)
  for (const cluster of listKnown(clusters)) {
    cluster.libraries.forEach(add)
    for (const [id, count] of cluster.libraryUses) addUse(uses, id, count)
  }
  for (const id of uses.keys()) add({ id, name: '', author: '', version: '' })
  return [...found.values()].slice(0, MAX_PLUGINS).map(({ id, name, version, author }) => ({
    id,
    name: shorten(name, MAX_TEXT),
    version: shorten(version, MAX_TEXT),
    author: shorten(author, MAX_TEXT),
    nodeCount: uses.get(id) ?? 0,
  }))
}

/** The clusters whose content is known, nested ones included. */
export function* listKnown(clusters: ReadClusters): Generator<KnownCluster> {
  for (const cluster of clusters.values()) {
    if (!('content' in cluster)) continue
    yield cluster
    yield* listKnown(cluster.clusters)
  }
}

/** The limit of the contents of all clusters of a file, in characters of JSON. The largest real file has 1.7 million. */
const MAX_CLUSTER_LENGTH = 16 * 2 ** 20

/**
 * The contents of clusters in the form of the contract, by node id. Contents beyond `maxLength` characters of JSON in all
 * are left out, with the reason.
 */
export function describeClusters(
  clusters: ReadClusters,
  maxLength = MAX_CLUSTER_LENGTH,
): Record<string, Cluster> {
  const left = { length: maxLength }
  const describe = (some: ReadClusters): Record<string, Cluster> =>
    Object.fromEntries([...some].map(([id, cluster]) => [id, describeOne(cluster)]))

  function describeOne(cluster: KnownCluster | UnknownCluster): Cluster {
    const { description, author } = cluster
    const facts = {
      ...(description ? { description: shorten(description, MAX_DESCRIPTION) } : {}),
      ...(author ? { author: shortenAuthor(author) } : {}),
    }
    if (!('content' in cluster)) {
      return { ...facts, reason: cluster.reason, message: `Its content is not known: ${cluster.unknown}.` }
    }
    const { nodes, groups } = cluster.content
    left.length -= JSON.stringify({ nodes, groups }).length
    if (left.length < 0) {
      left.length = 0
      const message = 'Its content is not shown: the clusters of the file are too large.'
      return { ...facts, reason: 'too_large', message }
    }
    const inner = describe(cluster.clusters)
    return {
      ...facts,
      ports: Object.fromEntries(cluster.hooks),
      nodes,
      groups,
      ...(Object.keys(inner).length > 0 ? { clusters: inner } : {}),
    }
  }
  return describe(clusters)
}

function shortenAuthor(author: Author): Author {
  const { name, company, email, copyright, website } = author
  const short = (text: string) => shorten(text, MAX_TEXT)
  return {
    name: short(name),
    company: short(company),
    email: short(email),
    copyright: short(copyright),
    website: short(website),
  }
}

/** Shortens a text, without half a character at its end. */
const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
