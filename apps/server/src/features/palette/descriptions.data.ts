/**
 * What classes do that the solver does not know, by GUID; and what objects do that share their class of the solver with
 * others.
 */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'a8b97322-2d53-47cd-905e-b932c3ccd74e': 'A button. In Meadow it is never pressed.',
  '00027467-0d24-4fa7-b178-8dc0ac5f42ec': 'A list to choose from: gives the values of the chosen items.',
  '9c53bac0-ba66-40bd-8154-ce9829b9db1a': 'A colour that is chosen on the node.',
  '51a2ede9-8f8c-4fdf-a375-999c2062eab7': 'A colour that is chosen on a wheel.',
  '339c0ee1-cf11-444f-8e10-65c9150ea755': 'A colour that is chosen by its components.',
  'bcac2747-348b-4edd-ae1f-77a782cebbdd': 'A number that is set by turning a knob.',
  '33bcf975-a0b2-4b54-99fd-585c893b9e88': 'A number that is set digit by digit.',
  '21553c44-ea62-475e-a8bb-62b2a3ee5ca5': 'Several numbers between the same limits, each on a slider.',
  '2b69bf71-4e69-43aa-b7be-4f6ce7e45bef': 'Draws the numbers that reach it as a graph.',
  '72a29b54-2e48-474b-a400-d2124c4edf79': 'Shows the paths and branches of the tree that reaches it.',
  '4439a51b-8d24-4924-b8e2-f77e7f8f5bec': 'Finds which of two sets of meshes collide, and where.',
  'a4011be0-1c91-45bd-8280-17dd3a9f46f1':
    'The region around each point of a plane that is closer to it than to the others.',
  'ba9bb57a-61cf-4207-a1c4-994e371ba4f9':
    'The cell around each point of space that is closer to it than to the others.',
  '317f1cb2-820d-4a8f-b5c8-5de3594ddfba': 'The objects of a Rhino file, by layer and name.',
  '888f9c3c-f1e1-4344-94b0-5ee6a45aee11': 'A pipe around a curve whose radius changes along it.',
  '17d40004-489e-42d9-ad10-857f7b436801': 'Moves and stretches geometry from one rectangle into another.',
  'e202025b-dc8e-4c51-ae19-4415b172886f': 'Spreads points at random, but evenly, in a box.',
  'c8cb6a5c-2ffd-4095-ba2a-5c35015e09e4': 'Spreads points at random, but evenly, on geometry.',
}
