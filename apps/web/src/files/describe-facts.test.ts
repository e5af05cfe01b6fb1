import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelFacts } from '@meadow/contract/web'
import {
  describeCount,
  describeOrigin,
  describeRest,
  describeUnits,
  describeUnread,
  nameOfLayer,
} from './describe-facts.ts'

const units = { name: 'millimeters', metersPerUnit: 0.001, absoluteTolerance: 0.01, angleToleranceDegrees: 1 }

test('[WEB-87] given what a model says of itself, when it is shown, then in words', () => {
  assert.equal(describeCount({ type: 'subd', count: 1 }), '1 SubD')
  assert.equal(describeCount({ type: 'mesh', count: 12_000 }), '12,000 meshes')
  assert.equal(describeUnits(units), 'Millimeters, tolerance 0.01 and 1°')
  assert.equal(
    describeUnits({
      ...units,
      name: 'none',
      absoluteTolerance: 0.000_999_999_999,
      angleToleranceDegrees: 0.999_999_9,
    }),
    'No units, tolerance 0.001 and 1°',
  )
  assert.equal(describeUnits(null), 'The file does not say')
  const origin = { application: 'Rhinoceros 8', applicationVersion: '8.17', archiveVersion: 8 } as ModelFacts
  assert.equal(describeOrigin(origin), 'Rhinoceros 8 (8.17), file format 8')
  assert.equal(describeOrigin({ ...origin, applicationVersion: null }), 'Rhinoceros 8, file format 8')
  const old = { ...origin, application: 'Rhinoceros 5.0', applicationVersion: '5.0' }
  assert.equal(describeOrigin(old), 'Rhinoceros 5.0, file format 8')
  assert.equal(describeOrigin({ ...origin, application: null }), 'Unknown, file format 8')
  assert.equal(describeRest(500, 1500), 'and 1,000 more')
  assert.equal(describeRest(3, 3), undefined)
  assert.deepEqual(['Site', 'Building::Walls::Inner', 'a:b'].map(nameOfLayer), ['Site', 'Inner', 'a:b'])
})

test('[WEB-87] given a model of which parts could not be read, when it is shown, then it says which', () => {
  const facts = (...unread: ModelFacts['unread']) => describeUnread({ unread } as ModelFacts)
  assert.equal(facts(), undefined)
  assert.equal(
    facts('layers', 'thumbnail'),
    'Meadow could not read some layers and the preview of this file. The file itself is complete.',
  )
})
