/** The GUIDs of the kinds of nodes that are edited, or born, in a way of their own. */
export const KINDS = {
  slider: '57da07bd-ecab-415d-9d86-af36d7073abc',
  panel: '59e0b89a-e487-49f8-bab8-b5bab16be14c',
  toggle: '2e78987b-9dfb-42a2-8b76-3923ac8bd91a',
  button: 'a8b97322-2d53-47cd-905e-b932c3ccd74e',
  valueList: '00027467-0d24-4fa7-b178-8dc0ac5f42ec',
  swatch: '9c53bac0-ba66-40bd-8154-ce9829b9db1a',
  mdSlider: '318dacd7-9073-4ede-b043-a0c132eb77e0',
  knob: 'bcac2747-348b-4edd-ae1f-77a782cebbdd',
  expression: '9df5e896-552d-4c8c-b9ca-4fc147ffa022',
} as const
