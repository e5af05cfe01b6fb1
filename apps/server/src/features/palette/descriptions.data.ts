/** What components do that the solver does not know, by GUID. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
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
