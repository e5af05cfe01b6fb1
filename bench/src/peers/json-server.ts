import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import { documentFacts, folderFacts, searchFacts } from '../requests/facts.ts'
import type { TeamData } from './data.ts'
import { type Peer, startPeer } from './peer.ts'

/** json-server keeps everything in memory and searches it for each request. It is made for prototypes. */
export const jsonServer: Peer<TeamData> = {
  name: 'json-server',
  async start({ modules, folder }, { folders, documents, contents }) {
    const file = join(folder, 'json-server.json')
    const dates = new Map(documents.map((document) => [document.id, document]))
    const data = {
      folders: folders.map(({ id, name, parentId }) => ({ id, name, folderId: parentId })),
      documents,
      // The contents are not a part of `documents`, or each list of a folder would contain them.
      contents: contents.map(({ id, body }) => {
        const { name, createdAt, updatedAt } = dates.get(id)!
        return { id, name, createdAt, updatedAt, ...JSON.parse(body) }
      }),
    }
    await writeFile(file, JSON.stringify(data))
    const port = await findFreePort()
    const cli = join(modules, 'json-server/lib/cli/bin.js')
    const flags = ['--quiet', '--read-only', '--no-gzip', '--no-cors', '--host', '127.0.0.1']
    return startPeer(process.execPath, [cli, file, ...flags, '--port', String(port)], {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_ENV: 'production' },
      port,
      probe: { path: '/folders?_limit=1' },
    })
  },
  requestOf(read) {
    if (read.kind === 'folder') return { path: `/folders/${read.folder}?_embed=folders&_embed=documents` }
    if (read.kind === 'document') return { path: `/contents/${read.document}` }
    if (read.kind === 'search' && !read.folder) {
      const order = { _sort: 'updatedAt', _order: 'desc', _limit: '50', _expand: 'folder' }
      const filter = { name_like: read.q.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') }
      return { path: `/documents?${new URLSearchParams({ ...(read.q && filter), ...order })}` }
    }
    return { reason: 'has no such read' }
  },
  readFacts({ kind }, body) {
    const response = JSON.parse(body)
    if (kind === 'folder') return folderFacts(response)
    return kind === 'document' ? documentFacts(response) : searchFacts(response)
  },
}
