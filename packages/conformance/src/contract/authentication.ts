import { expect, expectStatus, NotChecked, need, type Sentence } from '../sentence.ts'
import type { Service } from '../service.ts'
import { nameOf } from '../settings.ts'
import { listPaths } from './endpoints.ts'
import { listIn } from './search-results.ts'

/** Part 5 of the contract: authentication. */
export const AUTHENTICATION: readonly Sentence[] = [
  {
    id: 'C5.1',
    says: 'Every API request carries the header Authorization: Bearer <API_TOKEN>.',
    async check(service) {
      const { token } = service.settings
      const encoded = encodeURIComponent(token)
      for (const query of [`token=${encoded}`, `access_token=${encoded}`, `api_key=${encoded}`])
        await expectRefused(service, `/team?${query}`, {})
      for (const authorization of [token, `Token ${token}`, `Basic ${btoa(`${token}:`)}`])
        await expectRefused(service, '/team', { authorization })
      await expectRefused(service, '/team', { 'x-api-key': token })
    },
  },
  {
    id: 'C5.2',
    says: 'A token is bound to one team.',
    async check(service) {
      const other = service.other()
      const own = new Set([
        ...(await service.folders()).map(({ id }) => id),
        ...(await service.documents()).map(({ id }) => id),
      ])
      const theirs = [...(await other.folders()), ...(await other.documents())]
      const shared = theirs.find(({ id }) => own.has(id))
      expect(shared === undefined, 'that two teams share no folder and no document', shared?.id)
      const foreign = new Set(theirs.map(({ id }) => id))
      const found = listIn((await service.get('/documents')).json) ?? []
      const leaked = found.find(({ id }) => foreign.has(String(id)))
      expect(leaked === undefined, 'that a search finds no document of another team', leaked?.id)
    },
  },
  {
    id: 'C5.3',
    says: 'Scopes exist on tokens and an endpoint may require one.',
    sameAs: ['C5.5b'],
  },
  {
    id: 'C5.4',
    says: 'No token, or a revoked token: 401.',
    async check(service) {
      const paths = Object.values(await listPaths(service))
      for (const path of paths) {
        const answer = await service.get(path, { token: null })
        // That a token is required is a sentence of its own.
        if (answer.status >= 400) expectStatus(answer, 401)
      }
      const revoked = need(service.settings.revokedToken, nameOf('revokedToken'))
      for (const path of paths) expectStatus(await service.get(path, { token: revoked }), 401)
    },
  },
  {
    id: 'C5.5a',
    says: 'A token of a different team: 403.',
    async check(service) {
      const url = need(service.settings.teamUrl, nameOf('teamUrl')).replace(/\/+$/, '')
      const { token } = service.other()
      const at = (authorization: string) =>
        service.send(`${url}/api/v1/team`, { headers: { authorization: `Bearer ${authorization}` } })
      const own = await at(service.settings.token)
      if (own.status !== 200) throw new NotChecked(`${nameOf('teamUrl')} that accepts the team's token`)
      expectStatus(await at(token), 403)
    },
  },
  {
    id: 'C5.5b',
    says: 'A token lacking the needed scope: 403.',
    async check(service) {
      const tokens = need(service.settings.limitedTokens, nameOf('limitedTokens'))
      const paths = Object.values(await listPaths(service))
      for (const [index, token] of tokens.entries()) {
        let refused = 0
        for (const path of paths) {
          const answer = await service.get(path, { token })
          if (answer.status === (await service.get(path)).status) continue
          expectStatus(answer, 403)
          refused++
        }
        expect(
          refused > 0,
          `403 from an endpoint to token ${index + 1} in ${nameOf('limitedTokens')}`,
          'none',
        )
      }
    },
  },
  {
    id: 'C5.6',
    says: 'Endpoints outside /api/v1 refuse API tokens.',
    async check(service) {
      const { baseUrl, token } = service.settings
      const headers = { authorization: `Bearer ${token}` }
      for (const path of ['/', '/team', '/documents', '/api/team', '/api/v2/team', '/api/v1x/team']) {
        const { status } = await service.send(baseUrl.replace(/\/+$/, '') + path, { headers })
        expect(status >= 400, `a refusal of the token at ${path}`, status)
      }
    },
  },
]

async function expectRefused(service: Service, path: string, headers: Record<string, string>): Promise<void> {
  const { status } = await service.get(path, { token: null, headers })
  expect(status >= 400, `a refusal where the token is not behind "Bearer" in Authorization`, status)
}
