import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { atEnd } from '../../../testing/at-end.ts'
import { createFolder } from '../../../testing/definition-folder.ts'
import { createKeySource } from './keys.ts'

const MINUTE_MS = 60_000

/** A container whose keys are numbered, live for so long, and are given while `isAvailable`. */
async function startContainer(t: TestContext, lifetimeMs: number) {
  const state = { count: 0, isAvailable: true, tokens: new Set<string | undefined>() }
  const server = createServer(({ headers }, response) => {
    state.tokens.add(headers.authorization)
    if (!state.isAvailable) return void response.writeHead(500).end('{}')
    const keys = {
      AccessKeyId: `AKID${++state.count}`,
      SecretAccessKey: 'hush',
      Token: 'token',
      Expiration: new Date(Date.now() + lifetimeMs).toISOString(),
    }
    response.end(JSON.stringify(keys))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => void server.close())
  const { port } = server.address() as AddressInfo
  setVariables(t, {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/keys`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'of this pod',
    AWS_EC2_METADATA_DISABLED: 'true',
    // No profile of whoever runs the tests.
    HOME: await createFolder(t),
    AWS_ACCESS_KEY_ID: undefined,
    AWS_SECRET_ACCESS_KEY: undefined,
    AWS_PROFILE: undefined,
  })
  return state
}

function setVariables(t: TestContext, variables: Record<string, string | undefined>): void {
  const { env } = process
  const before = Object.keys(variables).map((name) => [name, env[name]] as const)
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete env[name]
    else env[name] = value
  }
  for (const [name, value] of Object.entries(variables)) set(name, value)
  atEnd(t, () => {
    for (const [name, value] of before) set(name, value)
  })
}

test('[S3-8] given keys of the configuration, when they are asked for, then those', async () => {
  const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'hush' }
  assert.equal(await createKeySource({ keys })(), keys)
})

test('[S3-8] given keys that a container is given, when they are asked for, then they are fetched once, and again before they expire or when they are refused', async (t) => {
  const container = await startContainer(t, 60 * MINUTE_MS)
  const getKeys = createKeySource({ keys: 'instance' })
  const ids = async (times: number, isRefused?: boolean) =>
    (await Promise.all(Array.from({ length: times }, () => getKeys(isRefused)))).map(
      ({ accessKeyId }) => accessKeyId,
    )
  assert.deepEqual(await getKeys(), { accessKeyId: 'AKID1', secretAccessKey: 'hush', sessionToken: 'token' })
  assert.deepEqual(await ids(3), ['AKID1', 'AKID1', 'AKID1'])
  assert.deepEqual([...container.tokens], ['of this pod'])
  // All whose requests were refused wait for one answer.
  assert.deepEqual(await ids(3, true), ['AKID2', 'AKID2', 'AKID2'])
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 46 * MINUTE_MS })
  assert.deepEqual(await ids(3), ['AKID3', 'AKID3', 'AKID3'])
  // The old ones are still good.
  container.isAvailable = false
  t.mock.timers.setTime(Date.now() + 50 * MINUTE_MS)
  assert.deepEqual(await ids(1), ['AKID3'])
  t.mock.timers.setTime(Date.now() + 20 * MINUTE_MS)
  await assert.rejects(getKeys(), /There are no keys to the object store: set AWS_ACCESS_KEY_ID/)
})
