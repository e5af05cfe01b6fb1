import assert from 'node:assert/strict'
import test from 'node:test'
import { listPackages, readDotNetUse, readPythonUse } from './script-members.ts'

const SOURCE = `"""import nothing.Here"""
import Rhino.Geometry as rg, os
from Grasshopper import DataTree as Tree  # from nowhere import Nothing
from compas.geometry import (Frame,
    Point)
import rhinoscriptsyntax as rs

def Area(curve): return curve.PointAt(0.5).X
tree = Tree[rg.Point3d]()
plane = rg.Plane.WorldXY.Clone()
print(rs.AddPoint(1, 2, 3), rg.Intersect.Intersection.CurveCurve(a, b)[0].PointA, os.path.Something)
self.Size = plane.Size
`

test('given a Python script, when it is read, then members are named in full where their library is known', () => {
  const { modules, members } = readPythonUse(SOURCE)
  assert.deepEqual(
    [...modules],
    ['Rhino.Geometry', 'os', 'Grasshopper', 'compas.geometry', 'rhinoscriptsyntax'],
  )
  assert.deepEqual([...members].sort(), [
    '.Clone',
    '.PointA',
    '.PointAt',
    '.X',
    'Grasshopper.DataTree',
    'Rhino.Geometry.Intersect.Intersection.CurveCurve',
    'Rhino.Geometry.Plane.WorldXY',
    'Rhino.Geometry.Point3d',
    'rhinoscriptsyntax.AddPoint',
  ])
  assert.deepEqual([...listPackages({ modules, members })], ['compas'])
})

test('given a C# script, when it is read, then its members and the types it creates are found', () => {
  const { modules, members } = readDotNetUse(
    'using Rhino.Geometry;',
    'A = new Point3d(x, 0, 0).DistanceTo(y); // Z.Z',
  )
  assert.deepEqual([...modules], ['Rhino.Geometry'])
  assert.deepEqual([...members], ['Point3d', '.DistanceTo'])
})

test('given a script that names a namespace alone, when its use is read, then it ends, without a member of that', () => {
  const { members, modules } = readPythonUse(
    'import Rhino.Geometry\nx = Rhino.Geometry\ny = Rhino.Geometry.Point3d',
  )
  assert.deepEqual([...modules], ['Rhino.Geometry'])
  assert.deepEqual([...members], ['Rhino.Geometry.Point3d'])
})
