/** An endpoint: what it is for, what it takes, and how it can fail. */
export interface EndpointDescription {
  /** Also the name of the SDK's method. */
  readonly name: string
  /** Below `/api/v1`; `{name}` stands for a parameter. */
  readonly path: string
  readonly summary: string
  /** Empty: the summary says it all. Names in backquotes are code. */
  readonly description: string
  /** The scope that a token needs. */
  readonly scope: string
  readonly parameters: readonly ParameterDescription[]
  readonly errors: readonly { readonly status: number; readonly sentences: readonly string[] }[]
}

export interface ParameterDescription {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly isRequired: boolean
  readonly description?: string
  /** JSON Schema 2020-12 of its text. */
  readonly schema: {
    readonly type?: string
    readonly enum?: readonly (string | number)[]
    readonly default?: unknown
    readonly examples?: readonly unknown[]
  }
}

export interface ScopeDescription {
  readonly name: string
  readonly description: string
}

export interface StatusDescription {
  readonly status: number
  /** The class of the SDK's error. */
  readonly name: string
  /** Whether the SDK repeats the request by itself. */
  readonly mayRetry: boolean
  /** What the command `meadow` ends with. */
  readonly exitCode: number
  /** What the caller should do. Names in backquotes are code. */
  readonly advice: string
}
