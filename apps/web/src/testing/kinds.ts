/** Kinds of nodes that tests put on the canvas, by their names. */
export const KINDS = {
  slider: '57da07bd-ecab-415d-9d86-af36d7073abc',
  panel: '59e0b89a-e487-49f8-bab8-b5bab16be14c',
  toggle: '2e78987b-9dfb-42a2-8b76-3923ac8bd91a',
  valueList: '00027467-0d24-4fa7-b178-8dc0ac5f42ec',
  addition: 'a0d62394-a118-422d-abb3-6af115c75b25',
  merge: '3cadddef-1e2b-4c09-9390-0e8f78f7609f',
  series: 'e64c5fb1-845c-4ab1-8911-5f338516ba67',
  graftTree: '87e1d9ef-088b-4d30-9dda-8a7448a17329',
  divideCurve: '2162e72e-72fc-4bf8-9459-d4d82fa8aa14',
  sphere: 'dabc854d-f50e-408a-b001-d043c7de151d',
} as const
