import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import { sendRequest } from '../harness/request.ts'
import { listCases } from '../requests/cases.ts'
import type { Read } from '../requests/contender.ts'
import { readMeadowFacts } from '../requests/facts.ts'
import { type Meadow, pathOfRead, requestsOfReads } from '../requests/meadow.ts'
import { type Peer, startPeer } from './peer.ts'

const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', ...process.env.PATH!.split(delimiter)]

/** Whether the system has nginx, which npm has not. */
export const isInstalled = (): boolean => FOLDERS.some((folder) => existsSync(join(folder, 'nginx')))

/** nginx sends Meadow's own responses as files: what a server in C without checks and without a log takes for them. */
export const nginx: Peer<Meadow> = {
  name: 'nginx',
  async start({ folder }, meadow) {
    const root = join(folder, 'nginx')
    await writeResponses(root, meadow)
    const port = await findFreePort()
    const config = join(root, 'nginx.conf')
    await writeFile(config, configure(root, port))
    return startPeer('nginx', ['-p', root, '-c', config, '-e', join(root, 'errors')], {
      env: { PATH: FOLDERS.join(delimiter) },
      port,
      probe: { path: pathOfRead({ kind: 'team' }) },
    })
  },
  // A file has no query.
  requestOf: (read) => (read.kind === 'search' ? { reason: 'has no searches' } : { path: pathOfRead(read) }),
  readFacts: readMeadowFacts,
}

/** Writes the response to each read of the cases to the file that has its address. */
async function writeResponses(root: string, meadow: Meadow): Promise<void> {
  const reads = listCases(meadow.team).flatMap(({ reads }) => reads)
  const byPath = new Map<string, Read>(reads.map((read) => [pathOfRead(read), read]))
  for (const [path, read] of byPath) {
    if (read.kind === 'search') continue
    const { body } = await sendRequest(meadow.withDefaults, requestsOfReads(meadow.team, [read])[0]!)
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, body)
  }
}

const configure = (root: string, port: number): string => `
  daemon off;
  worker_processes 1;
  pid ${root}/pid;
  events {}
  http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    open_file_cache max=1000;
    default_type "application/json; charset=utf-8";
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${root}/temporary;`).join(' ')}
    server { listen 127.0.0.1:${port}; root ${root}; }
  }
`
