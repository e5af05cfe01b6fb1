import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Figures } from '../harness/rounds.ts'
import type { MeasuredCase } from './measure.ts'
import { comparePeers, printPeers, printRequests } from './print-requests.ts'

const figures = (name: string, medianPerSecond: number): Figures => ({
  name,
  perSecond: [medianPerSecond],
  medianPerSecond,
  ratio: medianPerSecond / 1000,
  p50Ms: 1,
  p99Ms: 2,
  cpuMicroseconds: 10,
  askerShare: 0.5,
  meanBodyBytes: 100,
})

const measured = (name: string, manner: MeasuredCase['manner'], ...peers: Figures[]): MeasuredCase => ({
  name,
  manner,
  aim: 0.35,
  documents: 1_000,
  figures: [
    figures('bare', 1000),
    figures('Meadow', 400),
    figures('Meadow on PostgreSQL', 150),
    figures('Directus', 50),
    ...peers,
  ],
  leftOut: [{ name: 'json-server', reason: 'it says something else' }],
})

test('given peers, when they are compared, then Meadow is beside the fastest one, and on PostgreSQL beside its own ones', () => {
  const cases = comparePeers(
    measured('folder, first', 'first', figures('PostgREST', 100), figures('Other', 200)),
  )
  assert.deepEqual(cases, [
    { server: 'Meadow', peer: 'Other', times: 2, aim: 3 },
    { server: 'Meadow on PostgreSQL', peer: 'PostgREST', times: 1.5, aim: 2 },
  ])
  const plain = figures('Fastify + Kysely', 200)
  assert.deepEqual(comparePeers(measured('folder', 'repeated', plain)), [
    { server: 'Meadow', peer: 'Directus', times: 8, aim: 10 },
    { server: 'Meadow', peer: 'Fastify + Kysely', times: 2 },
  ])
  assert.deepEqual(comparePeers(measured('folder', 'repeated', figures('nginx', 1000))), [
    { server: 'Meadow', peer: 'Directus', times: 8, aim: 10 },
    { server: 'Meadow', peer: 'nginx', times: 0.4, aim: 0.35 },
  ])
  assert.deepEqual(comparePeers(measured('search one letter', 'first')), [
    { server: 'Meadow', peer: 'Directus', times: 8 },
  ])
})

test('given cases, when they are printed, then peers have a table, with the reasons of those left out, and what falls short is listed', () => {
  const cases = [measured('folder, first', 'first', figures('Other', 200)), measured('folder', 'repeated')]
  const [table, leftOut] = printPeers(cases)
  assert.match(table!, /\| folder, first \| +1,000 \| .*2\.0 ✗ 3 \(Other\)/)
  assert.equal(leftOut, 'Left out:\n\n- folder, first; folder: json-server, since it says something else')
  assert.equal(
    printRequests(cases, [], []).at(-1),
    '## What falls short\n\n' +
      '- folder, first, 1,000 documents: Meadow 2.0 times Other, aim 3 times\n' +
      '- folder, 1,000 documents: Meadow 8.0 times Directus, aim 10 times',
  )
  assert.deepEqual(printPeers([{ ...cases[0]!, figures: cases[0]!.figures.slice(0, 2) }]), [])
})
