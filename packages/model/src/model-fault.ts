/** Bytes that are not what their format says: truncated, garbage, or past a limit. The only error that readers here throw. */
export class ModelFault extends Error {
  override readonly name: string = 'ModelFault'
}

/** Sound as far as it was read, but of a form that is not read here. */
export class UnsupportedForm extends ModelFault {
  override readonly name = 'UnsupportedForm'
}
