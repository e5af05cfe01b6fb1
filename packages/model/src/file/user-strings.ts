/**
 * What each object of a model file carries, as user strings of its attributes. Rhino shows them as attribute user
 * text, and scripts read them with `Attributes.GetUserString`. openNURBS drops empty ones.
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
  /** Of an object that is one member of a group: its point in it, `0`, or `0.2` in a group in that group. */
  member: 'meadow.member',
} as const
