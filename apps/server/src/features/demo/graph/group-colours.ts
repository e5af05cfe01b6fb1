/** The colours of groups by what their nodes are for, `#rrggbbaa`. */
export const GROUP_COLOURS = {
  inputs: '#8fbf8f96',
  planes: '#9fb7d996',
  geometry: '#7fa8d996',
  data: '#b9a3d996',
  structure: '#d9b48f96',
  display: '#e3d58596',
  results: '#7fccc496',
} as const

export type GroupColour = keyof typeof GROUP_COLOURS
