import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentVersion, VersionAuthor } from '@meadow/contract/web'
import { readHistory, writeHistory } from '../state/history-location.ts'
import { describeAuthors, groupByDay, labelOfVersion } from './describe-version.ts'

const by = (kind: VersionAuthor['kind'], name?: string): VersionAuthor => ({
  kind,
  person: name === undefined ? null : { id: name as never, name },
  changes: 1,
})

test('[WEB-143] given the authors of a version, when they are named, then agents and who is no account have words of their own, and many are counted', () => {
  assert.equal(describeAuthors([by('person', 'Ada')]), 'Ada')
  assert.equal(describeAuthors([by('person', 'Ada'), by('agent', 'Ada')]), 'Ada, an agent of Ada')
  assert.equal(describeAuthors([by('person'), by('operator')]), 'a deleted account, the operator')
  assert.equal(
    describeAuthors(['Ada', 'Bo', 'Cy', 'Di'].map((name) => by('person', name))),
    'Ada, Bo, 2 others',
  )
  assert.equal(describeAuthors([]), '')
})

test('[WEB-143] given versions of two days, when they are grouped, then each day has its versions in their order', () => {
  const version = (id: string, at: string) => ({ id, at, name: null }) as DocumentVersion
  const days = groupByDay([
    version('c', '2026-03-02T12:00:00.000Z'),
    version('b', '2026-03-01T12:30:00.000Z'),
    version('a', '2026-03-01T12:00:00.000Z'),
  ])
  assert.deepEqual(
    days.map(({ versions }) => versions.map(({ id }) => id)),
    [['c'], ['b', 'a']],
  )
  assert.equal(labelOfVersion({ name: 'To the client', at: '2026-03-01T12:00:00.000Z' }), 'To the client')
})

test('[WEB-143] given a location in the history, when its address is read again, then it is the same location', () => {
  for (const location of [undefined, {}, { versionId: 'v1' }, { versionId: 'v1', withId: 'now' }])
    assert.deepEqual(readHistory(new URLSearchParams(writeHistory(location))), location)
  assert.deepEqual(readHistory(new URLSearchParams('history=&with=now&cluster=c')), {})
})
