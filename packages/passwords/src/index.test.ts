import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPasswordFault, PASSWORD_FAULTS } from './index.ts'

const ANN = { name: 'Ann Müller', email: 'ann.mueller@acme-facades.example', teams: ['Acme Facades GmbH'] }

test('passwords of fewer than 10 or more than 128 characters are refused, and of any characters between', async () => {
  for (const password of ['', 'x9!kQ2#mv', 'ä'.repeat(129), '🌾🌾🌾🌾'])
    assert.equal(await findPasswordFault(password, ANN), 'length', password)
  for (const password of [
    'plötzlich regen',
    'only lower case letters',
    '73946105827361',
    'x9!kQ2#mvP',
    ' spaces  around ',
  ])
    assert.equal(await findPasswordFault(password, ANN), undefined, password)
})

test('known passwords are refused, also with a few characters changed or added', async () => {
  for (const password of [
    'password12',
    'Password123!',
    'P@ssw0rd2024!',
    '1234567890',
    'qwertyuiop12',
    'iloveyou12',
    'letmein123',
    'aaaaaaaaaaaa',
    'abcdefghijkl',
    'drowssap1234',
    'dragondragon',
    'q'.repeat(128),
  ])
    assert.equal(await findPasswordFault(password, ANN), 'guessable', password)
})

test('passwords of what others know of a person are refused, in any case and with digits or signs between', async () => {
  for (const password of [
    'ann.mueller@acme-facades.example',
    'MuellerAnn1985',
    'ANN-MÜLLER-1',
    'acme facades 24',
    'Meadow-Meadow',
    'meadow12345',
  ])
    assert.equal(await findPasswordFault(password, ANN), 'own_data', password)
  assert.equal(await findPasswordFault('meadow of seventy herons', ANN), undefined)
  assert.equal(await findPasswordFault('Ann Müller eats 12 pears', ANN), undefined)
})

test('of a long password, what follows the first 40 characters is not estimated, which would take time', async () => {
  const long = 'qwertyuiop'.repeat(4)
  for (const rest of ['', 'seventy herons at a lake in autumn', '4@8({[</369&#!1|0$5+7%2'.repeat(3)])
    assert.equal(await findPasswordFault(long + rest, ANN), 'guessable', rest)
})

test('each reason has a sentence that says what to do', () => {
  for (const sentence of Object.values(PASSWORD_FAULTS)) assert.match(sentence, /characters\.|Add |Take /)
})
