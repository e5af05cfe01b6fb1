import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextName } from './ports.ts'

test('[LD-51] given the name of the last port, when the next is named, then it counts on', () => {
  const cases = {
    D1: 'D2',
    'Data 9': 'Data 10',
    A: 'B',
    x: 'y',
    Z: 'Z 2',
    Branch: 'Branch 2',
    'Branch {0;2}': 'Branch {0;3}',
    '{0;9}': '{0;10}',
    'List (B)': 'List (C)',
    'Values A': 'Values B',
    '-': '-',
  }
  for (const [name, next] of Object.entries(cases)) assert.equal(nextName(name), next)
})
