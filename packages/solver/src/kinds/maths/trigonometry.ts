import type { Kind } from '../define-kind.ts'
import { ofNumber } from './of-number.ts'

/** Angles in radians, unless their port says degrees. */
export const TRIGONOMETRY: readonly Kind[] = [
  ofNumber('7663efbb-d9b8-4c6a-a0da-c3750a7bbe77', 'Sine', 'The sine of an angle.', Math.sin),
  ofNumber('d2d2a900-780c-4d58-9a35-1f9d8d35df6f', 'Cosine', 'The cosine of an angle.', Math.cos),
  ofNumber('0f31784f-7177-4104-8500-1f4f4a306df4', 'Tangent', 'The tangent of an angle.', Math.tan),
  ofNumber('cc15ba56-fae7-4f05-b599-cb7c43b60e11', 'ArcSine', 'The angle of a sine.', Math.asin),
  ofNumber('49584390-d541-41f7-b5f6-1f9515ac0f73', 'ArcCosine', 'The angle of a cosine.', Math.acos),
  ofNumber('b4647919-d041-419e-99f5-fa0dc0ddb8b6', 'ArcTangent', 'The angle of a tangent.', Math.atan),
  ofNumber(
    'd222500b-dfd5-45e0-933e-eabefd07cbfa',
    'CoSecant',
    'One over the sine of an angle.',
    (x) => 1 / Math.sin(x),
  ),
  ofNumber(
    '60103def-1bb7-4700-b294-3a89100525c4',
    'Secant',
    'One over the cosine of an angle.',
    (x) => 1 / Math.cos(x),
  ),
  ofNumber(
    '1f602c33-f38e-4f47-898b-359f0a4de3c2',
    'CoTangent',
    'One over the tangent of an angle.',
    (x) => 1 / Math.tan(x),
  ),
  ofNumber(
    'a2d9503d-a83c-4d71-81e0-02af8d09cd0c',
    'Sinc',
    'The sine of a number over the number; 1 for 0.',
    (x) => (x === 0 ? 1 : Math.sin(x) / x),
  ),
  ofNumber(
    'a4cd2751-414d-42ec-8916-476ebf62d7fe',
    'Radians',
    'Degrees as radians.',
    (x) => (x * Math.PI) / 180,
  ),
  ofNumber(
    '0d77c51e-584f-44e8-aed2-c2ddf4803888',
    'Degrees',
    'Radians as degrees.',
    (x) => (x * 180) / Math.PI,
  ),
]
