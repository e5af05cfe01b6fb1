import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublicId } from '../../platform/public-ids.ts'
import { createGuestPlaces } from './guest-places.ts'

test('[LIV-1] given somebody who has all places, when one is given back twice, then there is room for one, and others have places of their own', () => {
  const places = createGuestPlaces(2)
  const [ann, ben] = [createPublicId('usr'), createPublicId('usr')]
  const [first, second] = [places.take(ann), places.take(ann)]
  assert.ok(first && second)
  assert.equal(places.take(ann), undefined)
  assert.ok(places.take(ben))
  first()
  first()
  assert.ok(places.take(ann))
  assert.equal(places.take(ann), undefined)
})
