/**
 * The user strings of each object of a model file, in its attributes. Rhino shows them as attribute user text,
 * and scripts read them with `Attributes.GetUserString`. openNURBS drops empty ones.
 */
export const USER_STRING = {
  document: 'meadow.document',
  solution: 'meadow.solution',
  platformId: 'meadow.platformId',
  node: 'meadow.node',
  nodeName: 'meadow.nodeName',
  port: 'meadow.port',
  portName: 'meadow.portName',
  path: 'meadow.path',
  index: 'meadow.index',
  /** The index path of a group member: `0`, or `0.2` for a member of a nested group. */
  member: 'meadow.member',
} as const
