import type { ComponentRow } from './component-row.ts'

/** Components of the tabs Kangaroo2 and Params. */
// biome-ignore format: one component a line
export const OTHER = [
  ['5b882297-9063-439e-82b9-70961f743c5d', 'removeDuplicateLines', 'dupLn', 'Kangaroo2', 'Utility', 'line minus', 'fixed', 'lines (L): Line*; tolerance (t): Number = 0.01', 'unique lines (Q): Line*'],
  ['5e2f9e3f-d467-46f6-870c-6fa7cd01e1ed', 'removeDuplicatePts', 'dupPt', 'Kangaroo2', 'Utility', 'points times', 'fixed', 'points (P): Point*; tolerance (t): Number = 0.01', 'unique points (Q): Point*'],
  ['6da9f120-3ad0-4b6e-9fe0-f8cde3a649b7', 'Gradient', 'Gradient', 'Params', 'Input', 'gradient', 'fixed', 'Lower limit (L0): Number = 0; Upper limit (L1): Number = 1; Parameter (t): Number', 'Colour (C): Colour'],
  ['317f1cb2-820d-4a8f-b5c8-5de3594ddfba', 'Import 3DM', '3DM', 'Params', 'Input', "file '3dm", 'fixed', 'File (F): File Path; Layer (L): Text = *; Name (N): Text = *', 'Geometry (G): Geometry*'],
  ['6587fcbf-e3cf-480a-b2f5-641794474194', 'Read File', 'File', 'Params', 'Input', 'file lines', 'fixed', 'File (F): File Path', 'Content (C): Text*'],
  ['ae2531b4-bab2-4bb1-b5bf-f2143d10c132', 'Context Bake', 'Context Bake', 'Params', 'Util', "output 'G", 'fixed', 'Geometry: Geometry**', ''],
  ['73215ec5-0eb5-4f85-9e07-b09c4590ce2b', 'Context Print', 'Context Print', 'Params', 'Util', "output 'T", 'fixed', 'Text: Text**', ''],
] as const satisfies readonly ComponentRow[]
