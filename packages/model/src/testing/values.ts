import type { Geometry } from '@meadow/geometry/values/value'
import type { ModelOptions, ModelValue } from '../file/model-input.ts'

export const OPTIONS: ModelOptions = {
  documentId: 'document',
  solutionId: 'solution',
  archiveVersion: 7,
  units: 'meters',
  savedAt: new Date('2026-11-20T10:20:30.456Z'),
}

/** As results of one port of one node, in one branch. */
export function toValues(geometries: readonly Geometry[], node = 'node'): ModelValue[] {
  return geometries.map((value, index) => ({
    value,
    nodeInstanceId: node,
    portInstanceId: `${node}-port`,
    path: '{0;1}',
    index,
    nodeName: `Name of ${node}`,
    portName: 'Result',
  }))
}
