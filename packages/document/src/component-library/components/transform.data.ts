import type { ComponentRow } from './component-row.ts'

// biome-ignore format: one component a line
export const TRANSFORM = [
  ['23285717-156c-468f-a691-b242488c06a6', 'Project', 'Project', 'Transform', 'Affine', 'project', 'fixed', 'Geometry (G): Data ?; Plane (P): Plane = XY', 'Geometry (G): Data; Transform (X): Transform'],
  ['06d7bc4a-ba3e-4445-8ab5-079613b52f28', 'Project Along', 'ProjectA', 'Transform', 'Affine', 'project angle', 'fixed', 'Geometry (G): Data ?; Plane (P): Plane = XY; Direction (D): Vector = [0,0,1]', 'Geometry (G): Data; Transform (X): Transform'],
  ['17d40004-489e-42d9-ad10-857f7b436801', 'Rectangle Mapping', 'RecMap', 'Transform', 'Affine', 'rect right', 'fixed', 'Geometry (G): Geometry ?; Source (S): Rectangle; Target (T): Rectangle', 'Geometry (G): Geometry; Transform (X): Transform'],
  ['4d2a06bd-4b0f-4c65-9ee0-4220e4c01703', 'Scale', 'Scale', 'Transform', 'Affine', 'scale', 'fixed', 'Geometry (G): Geometry ?; Center (C): Point = [0,0,0]; Factor (F): Number = 0.5', 'Geometry (G): Geometry; Transform (X): Transform'],
  ['290f418a-65ee-406a-a9d0-35699815b512', 'Scale NU', 'Scale NU', 'Transform', 'Affine', "scale 'xyz", 'fixed', 'Geometry (G): Geometry ?; Plane (P): Plane = XY; Scale X (X): Number = 1; Scale Y (Y): Number = 1; Scale Z (Z): Number = 1', 'Geometry (G): Geometry; Transform (X): Transform'],
  ['e87db220-a0a0-4d67-a405-f97fd14b2d7a', 'Linear Array', 'ArrLinear', 'Transform', 'Array', 'arrayLinear', 'fixed', 'Geometry (G): Geometry ?; Direction (D): Vector = [10,0,0]; Count (N): Integer = 10', 'Geometry (G): Geometry*; Transform (X): Transform*'],
  ['fca5ad7e-ecac-401d-a357-edda0a251cbc', 'Polar Array', 'ArrPolar', 'Transform', 'Array', 'arrayPolar', 'fixed', 'Geometry (G): Geometry ?; Plane (P): Plane = XY; Count (N): Integer = 10; Angle (A): Number = 2π', 'Geometry (G): Geometry*; Transform (X): Transform*'],
  ['e521f7c8-92f4-481c-888b-eea109e3d6e9', 'Rectangular Array', 'ArrRec', 'Transform', 'Array', 'arrayLinear box', 'fixed', 'Geometry (G): Geometry ?; Cell (C): Rectangle = XY[0,10][0,5]; X Count (X): Integer; Y Count (Y): Integer', 'Geometry (G): Geometry*; Transform (X): Transform*'],
  ['f12daa2f-4fd5-48c1-8ac3-5dea476912ca', 'Mirror', 'Mirror', 'Transform', 'Euclidean', 'mirror', 'fixed', 'Geometry (G): Geometry ?; Plane (P): Plane = YZ', 'Geometry (G): Geometry; Transform (X): Transform'],
  ['e9eb1dcf-92f6-4d4d-84ae-96222d60f56b', 'Move', 'Move', 'Transform', 'Euclidean', 'move', 'fixed', 'Geometry (G): Geometry ?; Motion (T): Vector = [0,0,10]', 'Geometry (G): Geometry; Transform (X): Transform'],
  ['378d0690-9da0-4dd1-ab16-1d15246e7c22', 'Orient', 'Orient', 'Transform', 'Euclidean', 'orient', 'fixed', 'Geometry (G): Geometry ?; Source (A): Plane = XY; Target (B): Plane = XY', 'Geometry (G): Geometry; Transform (X): Transform'],
  ['b7798b74-037e-4f0c-8ac7-dc1043d093e0', 'Rotate', 'Rotate', 'Transform', 'Euclidean', 'rotate', 'fixed', 'Geometry (G): Geometry ?; Angle (A): Number = π/2; Plane (P): Plane = XY', 'Geometry (G): Geometry; Transform (X): Transform'],
  ['3dfb9a77-6e05-4016-9f20-94f78607d672', 'Rotate 3D', 'Rot3D', 'Transform', 'Euclidean', "rotate '3D", 'fixed', 'Geometry (G): Geometry ?; Angle (A): Number = π/2; Center (C): Point = [0,0,0]; Axis (X): Vector = [0,0,1]', 'Geometry (G): Geometry; Transform (X): Transform'],
  ['3ac8e589-37f5-477d-aa61-6699702c5728', 'Rotate Axis', 'RotAx', 'Transform', 'Euclidean', 'rotate line', 'fixed', 'Geometry (G): Geometry ?; Angle (A): Number; Axis (X): Line', 'Geometry (G): Geometry; Transform (X): Transform'],
  ['6283fb37-e273-4eb2-8d2a-e347881e3928', 'Blend Box', 'BlendBox', 'Transform', 'Morph', 'twist join', 'fixed', 'Surface A (Sa): Surface; Domain A (Da): Domain²; Surface B (Sb): Surface; Domain B (Db): Domain²', 'Twisted Box (B): Twisted Box'],
  ['d8940ff0-dd4a-4e74-9361-54df537b50db', 'Box Morph', 'Morph', 'Transform', 'Morph', 'twist right', 'fixed', 'Geometry (G): Geometry; Reference (R): Box; Target (T): Twisted Box', 'Geometry (G): Geometry'],
  ['4f65c681-9331-4818-9d54-6290cae686c3', 'Surface Box', 'SBox', 'Transform', 'Morph', 'surface box', 'fixed', 'Surface (S): Surface; Domain (D): Domain²; Height (H): Number', 'Twisted Box (B): Twisted Box'],
  ['124de0f5-65f8-4ae0-8f61-8fb066e2ba02', 'Twisted Box', 'TBox', 'Transform', 'Morph', 'twist dots', 'fixed', 'Corner A (A): Point; Corner B (B): Point; Corner C (C): Point; Corner D (D): Point; Corner E (E): Point; Corner F (F): Point; Corner G (G): Point; Corner H (H): Point', 'Twisted Box (B): Twisted Box'],
  ['ca80054a-cde0-4f69-a132-10502b24866d', 'Compound', 'Comp', 'Transform', 'Util', 'transform plus', 'fixed', 'Transforms (T): Transform*', 'Compound (X): Transform'],
  ['874eebe7-835b-4f4f-9811-97e031c41597', 'Group', 'Group', 'Transform', 'Util', 'group', 'fixed', 'Objects (O): Geometry*', 'Group (G): Group'],
  ['51f61166-7202-45aa-9126-3d83055b269e', 'Inverse Transform', 'Inverse', 'Transform', 'Util', 'transform swap', 'fixed', 'Transform (T): Transform', 'Transform (T): Transform'],
  ['15204c6d-bba8-403d-9e8f-6660ab8e0df5', 'Merge Group', 'GMerge', 'Transform', 'Util', 'group join', 'fixed', 'Group A (A): Group; Group B (B): Group', 'Group (G): Group'],
  ['610e689b-5adc-47b3-af8f-e3a32b7ea341', 'Transform', 'Transform', 'Transform', 'Util', 'transform', 'fixed', 'Geometry (G): Geometry; Transform (T): Transform', 'Geometry (G): Geometry'],
  ['a45f59c8-11c1-4ea7-9e10-847061b80d75', 'Ungroup', 'Ungroup', 'Transform', 'Util', 'group explode', 'fixed', 'Group (G): Group', 'Objects (O): Geometry*'],
] as const satisfies readonly ComponentRow[]
