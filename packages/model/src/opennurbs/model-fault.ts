/**
 * Bytes that violate their format: truncated, damaged, or above a limit. The only error that readers here
 * throw.
 */
export class ModelFault extends Error {
  override readonly name: string = 'ModelFault'
}

/** An object that is valid as far as it was read, but not supported. */
export class UnsupportedForm extends ModelFault {
  override readonly name = 'UnsupportedForm'
}
