import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPythonUse } from './script-members.ts'

test('given a script that names a namespace alone, when its use is read, then it ends, without a member of that', () => {
  const { members, modules } = readPythonUse(
    'import Rhino.Geometry\nx = Rhino.Geometry\ny = Rhino.Geometry.Point3d',
  )
  assert.deepEqual([...modules], ['Rhino.Geometry'])
  assert.deepEqual([...members], ['Rhino.Geometry.Point3d'])
})
