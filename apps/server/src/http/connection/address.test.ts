import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { requestRawOnce } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'
import { isUnderPrefix, normalizeAddress, pathOf } from './address.ts'

const read = (url: string, basePath = '', headers: Record<string, string> = { host: 'x' }) => {
  const request = { url, headers, httpVersion: '1.1' }
  normalizeAddress(request as unknown as IncomingMessage, basePath)
  return { url: request.url, host: headers.host }
}

describe('one form', () => {
  test('[HTTP-1] given an address in another form, when it is requested with a token, then it is the same address', async (t) => {
    const { address, secret, team } = await startServer(t)
    const send = (target: string) =>
      requestRawOnce(
        address,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
      )
    for (const target of [
      '/api/v1/team',
      '/api/v1/team?a=%',
      '/api/v1/team#fragment',
      '/%61pi/v1/team',
      '/%61%70%69/%761/te%61m',
      'http://x/api/v1/team',
      'HTTPS://elsewhere.example:8443/%61pi/v1/team?x=http://y',
    ]) {
      for (const time of ['first', 'again']) {
        const response = await send(target)
        assert.equal(response.status, 200, `${target}, ${time}`)
        assert.equal(JSON.parse(response.text).team.name, team.name)
      }
    }
  })

  test('[HTTP-1, D3] given the host name of a team in an absolute address, then it counts, and not the Host header', async (t) => {
    const { address, fixtures, secret } = await startServer(t)
    await fixtures.team('Other', 'other.example.org')
    const statusOf = async (target: string, host: string) =>
      (
        await requestRawOnce(
          address,
          `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
        )
      ).status
    assert.equal(await statusOf('http://other.example.org/api/v1/team', 'x'), 403)
    assert.equal(await statusOf('http://x/api/v1/team', 'other.example.org'), 200)
    for (const bad of ['http://user@x/api/v1/team', 'http:///api/v1/team', 'http://x:port/api/v1/team']) {
      assert.equal(await statusOf(bad, 'x'), 400, bad)
    }
    assert.equal(await statusOf('http://x/api/v1/team', 'user@x'), 400)
  })

  test('[HTTP-1] given any characters of a path percent-encoded that need not be, then the path is the same', () => {
    const unreserved = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~']
    const character = fc.tuple(
      fc.constantFrom(...unreserved, '/'),
      fc.constantFrom('as it is', 'upper', 'lower'),
    )
    fc.assert(
      fc.property(fc.array(character), fc.constantFrom('', '?q=%41%'), (characters, end) => {
        const plain = characters.map(([char]) => char).join('')
        const written = characters.map(([char, how]) => {
          if (how === 'as it is' || char === '/') return char
          const code = char.charCodeAt(0).toString(16)
          return `%${how === 'upper' ? code.toUpperCase() : code}`
        })
        assert.equal(read(`/${written.join('')}${end}`).url, `/${plain}${end}`)
      }),
    )
  })

  test('[HTTP-1, D5] given any target, then what is read has a path that can be decoded, and reads as itself', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('%', '%2', '%zz', '%25', '%41', '%E0%A4', '/', '?', 'http://'),
    )
    fc.assert(
      fc.property(fc.array(part), fc.constantFrom('', '/', 'http://h'), (parts, start) => {
        const { url } = read(start + parts.join(''))
        assert.match(url, /^\//)
        decodeURIComponent(pathOf(url))
        assert.equal(read(url).url, url)
      }),
    )
  })

  test('[HTTP-11] given a base path that a proxy left in place, then it is taken away, once and only as a whole', () => {
    for (const [url, expected] of [
      ['/meadow', '/'],
      ['/meadow/', '/'],
      ['/meadow?x', '/?x'],
      ['/meadow/api/v1/team?x', '/api/v1/team?x'],
      ['http://h/meadow/docs', '/docs'],
      ['/meadow/meadow/docs', '/meadow/docs'],
      ['/meadows/docs', '/meadows/docs'],
      ['/docs', '/docs'],
    ] as const) {
      assert.equal(read(url, '/meadow').url, expected)
    }
    assert.equal(read('/api/v1/team', '/api').url, '/api/v1/team')
    assert.equal(read('/api/api/v1/team', '/api').url, '/api/v1/team')
  })
})

describe('nothing else', () => {
  test('[HTTP-2, D1, D12] given an address that only looks like one of the API, then 404, and 403 with a token', async (t) => {
    const { address, secret } = await startServer(t)
    const statusOf = async (target: string, token?: string) =>
      (
        await requestRawOnce(
          address,
          `GET ${target} HTTP/1.1\r\nHost: x\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}Connection: close\r\n\r\n`,
        )
      ).status
    for (const target of [
      '//api/v1/team',
      '/x/../api/v1/team',
      '/./api/v1/team',
      '/api//v1/team',
      '/api%2Fv1/team',
      '/api/v1%2Fteam',
      '/api\\v1\\team',
      '/API/v1/team',
      '/docs/static/../../api/v1/team',
      '*',
      'ftp://x/api/v1/team',
    ]) {
      assert.equal(await statusOf(target), 404, target)
      assert.equal(await statusOf(target, secret), 403, target)
    }
    for (const target of [
      '/api/v1//team',
      '/api/v1/./team',
      '/api/v1/x/../team',
      '/api/v1/../../healthz',
      '/api/v1/%2e%2e/%2e%2e/healthz',
      '/api/v1/team%2F',
      '/api/v1/team;x',
      '/api/v1/folders/..',
      '/api/v1/folders/%2e%2e',
    ]) {
      assert.equal(await statusOf(target), 401, target)
      assert.equal(await statusOf(target, secret), 404, target)
    }
  })

  test('[HTTP-2] given the API by its name, then the next character decides whether it matches', () => {
    for (const url of ['/api/v1', '/api/v1/', '/api/v1/x', '/api/v1?x']) assert.ok(isUnderPrefix(url), url)
    for (const url of ['/', '/api', '/api/v', '/api/v1x', '/api/v11', '/x/api/v1'])
      assert.ok(!isUnderPrefix(url), url)
  })
})

describe('host', () => {
  test('[HTTP-3] given no host, two, or one that cannot be, then 400 with a sentence, with a token or without', async (t) => {
    const { address, secret } = await startServer(t)
    const token = `Authorization: Bearer ${secret}\r\n`
    for (const host of [
      '',
      'Host: x\r\nHost: y\r\n',
      'Host: x\r\nHost: x\r\n',
      ...[
        '',
        'beta:abc',
        'beta..',
        '.beta',
        'user@beta',
        'a b',
        'a,b',
        'a/b',
        'beta:65536',
        ':80',
        '[::1',
        '[x]',
        'b\u00e4ta',
        'a.'.repeat(200),
      ].map((text) => `Host: ${text}\r\n`),
    ]) {
      for (const authorization of ['', token]) {
        for (const path of ['/api/v1/team', '/healthz']) {
          const response = await requestRawOnce(
            address,
            `GET ${path} HTTP/1.1\r\n${host}${authorization}Connection: close\r\n\r\n`,
          )
          assert.equal(response.status, 400, `${host} ${path}`)
          assert.match(JSON.parse(response.text).error, /Host/)
        }
      }
    }
  })

  test('[HTTP-3] given any host that can be, or HTTP/1.0 without one, then the request is answered', async (t) => {
    const { address, secret } = await startServer(t)
    for (const host of [
      'x',
      'X.Example.ORG.:80',
      'a_b:4000',
      '127.0.0.1',
      '[::1]:4000',
      'xn--bta-qla',
      'x:',
    ]) {
      const request = `GET /api/v1/team HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`
      assert.equal((await requestRawOnce(address, request)).status, 200, host)
    }
    const old = `GET /api/v1/team HTTP/1.0\r\nAuthorization: Bearer ${secret}\r\n\r\n`
    assert.equal((await requestRawOnce(address, old)).status, 200)
    // A response to HTTP/1.0 is not for HTTP/1.1.
    const current = `GET /api/v1/team HTTP/1.1\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`
    assert.equal((await requestRawOnce(address, current)).status, 400)
  })
})
