import { ALL_SCOPES } from '@meadow/contract'
import { createToken } from '../../../access/team-tokens.ts'
import { createTokenSecret } from '../../../access/tokens.ts'
import { openDemoTeam } from '../../../features/demo/demo-team.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import type { TestScope } from '../../../testing/at-end.ts'
import { startServer } from '../../../testing/start-server.ts'

/** What is read of the demo team: the path below the prefix, and the body. */
export interface DemoAnswer {
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every shape.
  json: any
}

/** A server with the demo team, all of whose documents are being solved. */
export async function startDemo(scope: TestScope) {
  const { database, service, request, address } = await startServer(scope)
  // The demo is made where there is no team.
  await service.database.transaction(async (write) => {
    for (const table of ['token', 'folder', 'team'] as const) await write.deleteFrom(table).execute()
  })
  const { blobs, solving } = service
  const demo = await openDemoTeam(
    { database, blobs, listDocuments: solving.store.listDocuments, solve: solving.request },
    () => {},
  )
  const token = createTokenSecret()
  await changeTeam(database, demo!.team.key, (change) =>
    createToken(change, { name: 'Test', secret: token, scopes: ALL_SCOPES }),
  )

  /** A busy machine may need more than one wait for a solve. */
  async function getSolved(path: string): ReturnType<typeof request> {
    const response = await request(`/api/v1${path}`, { token, headers: { prefer: 'wait=30' } })
    return response.status === 202 ? getSolved(path) : response
  }

  /** Every answer that is a 200: the team, its folders and documents, and their solutions in each form. */
  async function readAll(): Promise<DemoAnswer[]> {
    const found = (await getSolved('/documents')).json
    const ids: string[] = found.documents.map(({ id }: { id: string }) => id)
    const folders = new Set(found.documents.map(({ folder }: { folder: { id: string } }) => folder.id))
    const paths = [
      '/folders/root',
      ...[...folders].map((id) => `/folders/${id}`),
      ...ids.map((id) => `/documents/${id}`),
      ...ids.flatMap((id) =>
        ['', '?includeGeometry=true', '?format=bimz'].map((query) => `/documents/${id}/solution${query}`),
      ),
    ]
    const answers = [
      { path: '/team', json: (await getSolved('/team')).json },
      { path: '/documents', json: found },
    ]
    for (const path of paths) {
      const { status, json } = await getSolved(path)
      if (status === 200) answers.push({ path, json })
      else if (status !== 409 && status !== 502) throw new Error(`${path}: ${status}`)
    }
    return answers
  }

  return { api: `${address}/api/v1`, token, readAll }
}
