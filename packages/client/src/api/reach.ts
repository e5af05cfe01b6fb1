import { endpointPath } from './endpoint-path.ts'
import { type CallOptions, readError, type Transport } from './transport.ts'

/** What a token reads of its team: all of it, or the folders that it is limited to. */
export type Reach = 'team' | 'folders'

export function readReach(
  { send, addressOf }: Pick<Transport, 'send' | 'addressOf'>,
  options: CallOptions,
): Promise<Reach> {
  const path = endpointPath('readFolder', 'root')
  return send(path, { ...options, method: 'HEAD' }, async (response) => {
    if (response.status !== 200) throw await readError(response, addressOf(path).href)
    return response.headers.get('meadow-reach') === 'folders' ? 'folders' : 'team'
  })
}
